// Runs in every test file: a test during which the service said something that its OpenAPI document does not know has failed.
import { afterAll, afterEach } from 'vitest';

import { beginFile, failOnFaults } from './seen-faults.ts';

beginFile();

afterEach(failOnFaults);
// What came after the last test.
afterAll(failOnFaults);
