// Previews a change of the configuration: shows its errors, or opens the dialog that applies it.
import { useState } from 'react';

import type { InputFault } from '../../../src/console/changes.schema.ts';
import type { ConfigurationInput } from '../configuration/configuration-api.ts';
import { previewChange, reviewed, type ReviewedChange } from './change-steps.ts';

export type Review = {
  /** Those of the last preview; a change that has any is not reviewed. */
  readonly faults: readonly InputFault[];
  readonly setFaults: (faults: readonly InputFault[]) => void;
  readonly error: unknown;
  readonly setError: (error: unknown) => void;
  readonly isBusy: boolean;
  /** `seen`: the version that the form was loaded from. `onPreviewed` is called with the result, before it is shown. */
  readonly start: (input: ConfigurationInput, seen: number, onPreviewed?: () => void) => Promise<void>;
  readonly close: () => void;
  /** Of `ChangeReview`. */
  readonly dialog: {
    readonly change: ReviewedChange | null;
    readonly onChange: (change: ReviewedChange) => void;
    readonly onClose: () => void;
  };
};

export function useReview(): Review {
  const [faults, setFaults] = useState<readonly InputFault[]>([]);
  const [change, setChange] = useState<ReviewedChange | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = (): void => setChange(null);
  return {
    ...{ faults, setFaults, error, setError, isBusy, close },
    dialog: { change, onChange: setChange, onClose: close },
    async start(input, seen, onPreviewed) {
      setBusy(true);
      setError(null);
      try {
        const result = await previewChange(input, seen);
        onPreviewed?.();
        setFaults(result.faults);
        if (result.faults.length === 0) setChange(reviewed(input, result));
      } catch (failure) {
        setError(failure);
      } finally {
        setBusy(false);
      }
    },
  };
}
