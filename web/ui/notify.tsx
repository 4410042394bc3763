// Tells what has just happened, to the eye and to assistive techniques.
import { notifications } from '@mantine/notifications';

import { wordsOf } from './states.tsx';

export function notify(message: string): void {
  notifications.show({ message, color: 'pine', autoClose: 6000 });
}

export function notifyFailure(error: unknown): void {
  notifyFailureAs('That did not work', error);
}

/** Under a title that says what follows from the failure. */
export function notifyFailureAs(title: string, error: unknown): void {
  notifications.show({ title, message: wordsOf(error), color: 'red', autoClose: 12_000 });
}
