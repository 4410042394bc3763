// Toast notifications of successes and failures, announced to assistive technology as well.
import { notifications } from '@mantine/notifications';

import { errorMessage } from './states.tsx';

export function notify(message: string): void {
  notifications.show({ message, color: 'pine', autoClose: 6000 });
}

export function notifyFailure(error: unknown): void {
  notifyFailureAs('That did not work', error);
}

/** With a title that says what follows from the failure. */
export function notifyFailureAs(title: string, error: unknown): void {
  notifications.show({ title, message: errorMessage(error), color: 'red', autoClose: 12_000 });
}
