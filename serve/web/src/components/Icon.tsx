// Icons are paths on a grid of 20 by 20, drawn with the colour of the text.

const paths = {
  search: "M9 3a6 6 0 1 0 0 12A6 6 0 0 0 9 3ZM13.5 13.5 17 17",
  word: "M4 5h12M10 5v11M7.5 16h5",
  analogy: "M4 15 8 5h8l-4 10ZM8 5l8 0",
  axis: "M3 10h14M6 7l-3 3 3 3M14 7l3 3-3 3",
  selection: "M10 4c4 0 7 2 7 5s-3 5-7 5-6-2-6-4 2-3 4-3 3 1 3 3-2 5-5 6",
  compare: "M8 4v12M12 4v12M8 7H3m5 6H3M12 7h5m-5 6h5",
  scores: "M4 16V9M8 16V4M12 16v-5M16 16V7",
  runs: "M3 4v12h14M5 7c3 0 3 6 6 6s3-2 6-2",
  info: "M10 9v5M10 6v.5M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  fit: "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
  close: "M5 5l10 10M15 5 5 15",
  contours: "M10 3c4 0 7 3 7 7s-3 7-7 7-7-3-7-7 3-7 7-7ZM10 7c2 0 3 1 3 3s-1 3-3 3-3-1-3-3 1-3 3-3Z",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1",
  moon: "M16 11.5A6.5 6.5 0 0 1 8.5 4a6.5 6.5 0 1 0 7.5 7.5Z",
  auto: "M10 3a7 7 0 1 0 0 14ZM10 3a7 7 0 0 1 0 14",
  copy: "M7 7h9v9H7ZM4 13V4h9",
  download: "M10 3v9M6 9l4 4 4-4M4 16h12",
  up: "M5 12l5-5 5 5",
  down: "M5 8l5 5 5-5",
  swap: "M4 7h11l-3-3M16 13H5l3 3",
  link: "M8 12l4-4M7 9l-2 2a2.8 2.8 0 0 0 4 4l2-2M13 11l2-2a2.8 2.8 0 0 0-4-4L9 7",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
