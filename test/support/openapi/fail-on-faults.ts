// Runs in every test file: fails a test during which the service sent something that its OpenAPI document does not describe.
import { afterAll, afterEach } from 'vitest';

import { beginFile, failOnFaults } from './seen-faults.ts';

beginFile();

afterEach(failOnFaults);
// Faults after the last test.
afterAll(failOnFaults);
