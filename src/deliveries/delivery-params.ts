// The path parameter of everything about one delivery. Its form is not checked here: a malformed id is an unknown one (contract 1.8).
import { Type } from 'typebox';

export const DeliveryParams = Type.Object({
  deliveryId: Type.String({
    description: 'From the list of delivered leads.',
    examples: ['dlv_01m7wyk0h2emp81qch4dvtyn6a'],
  }),
});
