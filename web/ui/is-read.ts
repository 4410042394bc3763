// Whether somebody reads a list just now: the pointer or the focus is in it, or the page is scrolled into it.
import { type FocusEvent, type PointerEvent, type RefObject, useEffect, useState } from 'react';

type Handlers = {
  readonly onPointerEnter: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
  readonly onFocus: () => void;
  readonly onBlur: (event: FocusEvent) => void;
};

/** The height of the page's header, under which a list begins to disappear. */
const HEADER_PX = 56;

export function useIsRead(list: RefObject<HTMLElement | null>): {
  readonly isRead: boolean;
  readonly handlers: Handlers;
} {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = (): void => setScrolled((list.current?.getBoundingClientRect().top ?? HEADER_PX) < HEADER_PX);
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [list]);
  // A focused element that is removed, such as the button of a row that leaves, loses the focus without an event.
  const hasFocus = isFocused && document.activeElement !== document.body;
  return {
    isRead: isHovered || hasFocus || isScrolled,
    handlers: {
      onPointerEnter: ({ pointerType }) => setHovered(pointerType === 'mouse'),
      onPointerLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget)),
    },
  };
}
