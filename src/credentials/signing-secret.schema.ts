// The secret that signs what is sent to a supplier or partner, as the API, the portal and the console show it (contract 5.9).
import { type Static, Type } from 'typebox';

// Of "an example of thirty-two bytes.." instead of random bytes, so that it cannot be mistaken for one in use.
const EXAMPLE = 'whsec_YW4gZXhhbXBsZSBvZiB0aGlydHktdHdvIGJ5dGVzLi4=';

export const SigningSecretSchema = Type.Object(
  {
    secret: Type.String({
      description: 'The secret that signs every message. The key is the base64-decoded text after `whsec_`.',
    }),
    previous: Type.Union(
      [
        Type.Object({
          secret: Type.String({ description: 'The secret before the last rotation.' }),
          validUntil: Type.String({
            format: 'date-time',
            description: 'Until this time messages carry both signatures. UTC.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'Null if the secret was not rotated within the last 24 hours.' },
    ),
  },
  {
    $id: 'SigningSecret',
    description: 'The secret that your messages are signed with.',
    examples: [{ secret: EXAMPLE, previous: null }],
  },
);
export type SigningSecret = Static<typeof SigningSecretSchema>;
