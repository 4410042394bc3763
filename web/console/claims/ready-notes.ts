// Ready-made notes to the partner for the decision on a claim, by reason and direction. Pure.
import type { PortalClaim } from '../../../src/portal/buyer/claims.schema.ts';

type ReasonCode = PortalClaim['reason'];

type Notes = { readonly approve: readonly string[]; readonly deny: readonly string[] };

const NOTES: Readonly<Record<ReasonCode, Notes>> = {
  invalid_phone: {
    approve: ['We confirmed that the phone number is disconnected or invalid.'],
    deny: [
      'The phone number is valid, and the call was answered.',
      'The phone number rings. A call that is not answered is not a reason for a return.',
    ],
  },
  bounced_email: {
    approve: ['We confirmed that the email address does not receive mail.'],
    deny: [
      'Our email to this address was delivered.',
      'The address is valid. An email that is not answered is not a reason for a return.',
    ],
  },
  out_of_geo: {
    approve: ['We confirmed that the lead is outside the agreed area.'],
    deny: ['The state of the lead was within the area of your offer when it was sold.'],
  },
  out_of_filter: {
    approve: ['We confirmed that the lead does not meet the filters of your offer.'],
    deny: ['The lead met all filters of your offer when it was sold.'],
  },
  duplicate: {
    approve: ['We confirmed that this person was already delivered to you within the duplicate window.'],
    deny: [
      'We found no other delivery of this person to you within the duplicate window.',
      'The other delivery of this person is outside the duplicate window.',
    ],
  },
  bot: {
    approve: ['We confirmed that the submission was not made by a person.'],
    deny: [
      'The origin and the consent of the lead show a submission by a person.',
      'We reached the person, who confirmed the request.',
    ],
  },
  no_show: {
    approve: ['We confirmed that the person did not come to the appointment.'],
    deny: [
      'The proof does not show that the person missed the appointment.',
      'The appointment was moved in agreement with the person, so it is not a no-show.',
    ],
  },
  filter_mismatch: {
    approve: ['We confirmed that the booking does not meet the filters of your offer.'],
    deny: [
      'The booking met all filters of your offer when it was sold.',
      'The proof does not show which filter the booking fails.',
    ],
  },
};

/** Null for a reason that this version of the page does not know. */
export function readyNotesFor(reason: string): Notes | null {
  return Object.hasOwn(NOTES, reason) ? NOTES[reason as ReasonCode] : null;
}

/**
 * The note with a ready-made one in it: in place of an empty note and of `chosen`, the one chosen before and not edited since, but after any
 * text that was typed. Null if it would be longer than `lengthMax` characters.
 */
export function withReadyNote(
  note: string,
  ready: string,
  { chosen, lengthMax }: { readonly chosen: string | null; readonly lengthMax: number },
): string | null {
  const isReplaced = note.trim() === '' || note === chosen;
  const filled = isReplaced ? ready : `${note.trimEnd()}\n${ready}`;
  return filled.length > lengthMax ? null : filled;
}
