export function ComparePanel() {
  return <p />;
}
