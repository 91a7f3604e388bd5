import type { RefObject } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { complete, lastTerm } from "../app/completion";
import { valueOf, vocabulary } from "../app/state";

const shown = 8;

interface Props {
  label: string;
  value: string;
  placeholder?: string;
  /** Whether the label is for screen readers only. */
  hideLabel?: boolean;
  /** Called while the text changes. */
  onInput?: (text: string) => void;
  /** Called when the user presses Enter or picks a completion. */
  onCommit: (text: string) => void;
  inputRef?: RefObject<HTMLInputElement | null>;
  class?: string;
}

/** A text field for a word or an expression, which completes words of the vocabulary. */
export function WordInput({ label, value, placeholder, hideLabel, onInput, onCommit, inputRef, class: extra }: Props) {
  const id = useId();
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;
  const [text, setText] = useState(value);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  // Before the next event: an effect after the paint would take back what was typed meanwhile.
  useLayoutEffect(() => setText(value), [value]);

  const words = valueOf(vocabulary.value);
  const { before, term } = lastTerm(text);
  const options = open && words ? complete(words, term, shown) : [];
  const expanded = options.length > 0;

  const change = (next: string) => {
    setText(next);
    setActive(-1);
    setOpen(true);
    onInput?.(next);
  };
  const commit = (next: string) => {
    setText(next);
    setOpen(false);
    setActive(-1);
    onInput?.(next);
    onCommit(next.trim());
  };
  const keys = (event: KeyboardEvent) => {
    // The Enter that ends the input of an ideograph is not one of ours.
    if (event.isComposing) return;
    const count = options.length;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        if (!open) return setOpen(true);
        const step = event.key === "ArrowDown" ? 1 : -1;
        // -1 is the text as it was typed.
        return setActive(((active + 1 + step + count + 1) % (count + 1)) - 1);
      }
      case "Enter": {
        event.preventDefault();
        const option = options[active];
        return commit(option === undefined ? text : before + option);
      }
      case "Escape":
        event.stopPropagation();
        if (!expanded) return event.currentTarget instanceof HTMLElement ? event.currentTarget.blur() : undefined;
        setOpen(false);
        return setActive(-1);
    }
  };

  return (
    <div class={`word-input ${extra ?? ""}`}>
      <label for={id} class={hideLabel ? "visually-hidden" : "label"}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        value={text}
        placeholder={placeholder}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="search"
        aria-autocomplete="list"
        aria-expanded={expanded}
        aria-controls={`${id}-list`}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        onInput={(event) => change(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => setOpen(false)}
        onKeyDown={keys}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={`${label}: completions`} hidden={!expanded} class="completions">
        {options.map((option, i) => (
          <li
            key={option}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === active}
            // A press would take the focus from the field, and close the list before the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => commit(before + option)}
          >
            {option}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Goes to the first empty field of a form, after Enter in another one. */
export function focusEmpty(form: HTMLFormElement | null): void {
  for (const field of form?.querySelectorAll("input") ?? []) {
    if (field.value.trim() === "") return field.focus();
  }
}
