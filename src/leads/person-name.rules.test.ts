import { describe, expect, it } from 'vitest';
import { namesOf, splitName } from './person-name.rules.ts';

const partsOf = (name: string): string => {
  const { prefix, first, middle, last, suffix } = splitName(name);
  return [prefix, first, middle, last, suffix].join('|');
};

describe('A name that came whole', () => {
  it.each([
    ['Jordan Rivera', '|Jordan||Rivera|'],
    ['Mary Ann Lee', '|Mary|Ann|Lee|'],
    ['Cher', '|Cher|||'],
    ['', '||||'],
    [' , ', '||||'],
    // Titles and suffixes.
    ['Dr. Juan Carlos de la Cruz Jr.', 'Dr.|Juan|Carlos|de la Cruz|Jr.'],
    ['Prof. Dr. Ute Lang', 'Prof. Dr.|Ute||Lang|'],
    ['MRS OLGA PETROVA', 'MRS|OLGA||PETROVA|'],
    ['Mr. Smith', 'Mr.|||Smith|'],
    ['Hon. Ada King', 'Hon.|Ada||King|'],
    ['Gen Tanaka', '|Gen||Tanaka|'],
    ['Sir', '|Sir|||'],
    ['Walter Gray III', '|Walter||Gray|III'],
    ['Walter Gray, M.D., Ph.D.', '|Walter||Gray|M.D. Ph.D.'],
    ['Walter Gray Jr. MD', '|Walter||Gray|Jr. MD'],
    // The last name first.
    ['Rivera, Jordan', '|Jordan||Rivera|'],
    ['Rivera,Jordan', '|Jordan||Rivera|'],
    ['Lopez Garcia, Mary Ann', '|Mary|Ann|Lopez Garcia|'],
    ['Gray Jr., Walter', '|Walter||Gray|Jr.'],
    ['Gray, Walter, Jr.', '|Walter||Gray|Jr.'],
    ['O’Neil, Dr. Una', 'Dr.|Una||O’Neil|'],
    ['Rivera，Jordan', '|Jordan||Rivera|'],
    // Particles.
    ['Anna Maria van der Berg', '|Anna|Maria|van der Berg|'],
    ['JEAN CLAUDE VAN DAMME', '|JEAN|CLAUDE|VAN DAMME|'],
    ['Van Morrison', '|Van||Morrison|'],
    ['Omar bin Khalid', '|Omar||bin Khalid|'],
    ['Rosa del Carmen Ruiz', '|Rosa||del Carmen Ruiz|'],
    ['Mary Ann St. John', '|Mary|Ann|St. John|'],
    ['José Luis Ortega y Gasset', '|José|Luis|Ortega y Gasset|'],
    ['Lea Di', '|Lea||Di|'],
    ['山田 太郎', '|山田||太郎|'],
  ])('%j is split into %j', (name, parts) => {
    expect(partsOf(name)).toBe(parts);
  });

  it.each([
    ['Jordan Rivera', 'Jordan', 'Rivera'],
    ['Mary Ann Lee', 'Mary', 'Ann Lee'],
    ['Dr. Juan Carlos de la Cruz Jr.', 'Juan Carlos', 'de la Cruz'],
    ['Lopez Garcia, Mary Ann', 'Mary Ann', 'Lopez Garcia'],
    ['Ms. Mary Ann Lee', 'Mary', 'Ann Lee'],
    ['Cher', 'Cher', ''],
    ['Mr. Smith', '', 'Smith'],
  ])('%j fills two fields with %j and %j, without losing a word', (fullName, firstName, lastName) => {
    expect(namesOf({ fullName })).toMatchObject({ firstName, lastName, middleName: '' });
  });

  it('has its title and suffix apart', () => {
    expect(namesOf({ fullName: 'Dr. Una Gray III' })).toMatchObject({ namePrefix: 'Dr.', nameSuffix: 'III' });
  });
});

describe('Parts that were sent', () => {
  it.each([
    [
      { fullName: 'Mary Ann Lopez Garcia', firstName: 'Mary Ann', lastName: 'Lopez Garcia' },
      'Mary Ann',
      'Lopez Garcia',
    ],
    [{ fullName: 'J. Rivera', firstName: 'Jordan', lastName: 'Rivera' }, 'Jordan', 'Rivera'],
    [{ fullName: 'Mary Ann', firstName: 'Mary Ann' }, 'Mary Ann', ''],
    [{ fullName: 'Dr. Ana', firstName: 'Dr. Ana' }, 'Dr. Ana', ''],
    [{ fullName: 'de la Cruz', lastName: 'de la Cruz' }, '', 'de la Cruz'],
    // Beside a whole name one part says where the other ends.
    [{ fullName: 'Mary Ann Lopez Garcia', firstName: 'mary ann' }, 'mary ann', 'Lopez Garcia'],
    [{ fullName: 'Dr. Mary Ann Lopez Garcia', lastName: 'Lopez Garcia' }, 'Mary Ann', 'Lopez Garcia'],
    [{ fullName: 'Lopez Garcia, Mary Ann', firstName: 'Mary Ann' }, 'Mary Ann', 'Lopez Garcia'],
    [{ fullName: 'J. Rivera', firstName: 'Jordan' }, 'Jordan', 'Rivera'],
    [{ fullName: 'Jordan R.', lastName: 'Rivera' }, 'Jordan', 'Rivera'],
  ])('stay as they are: %j', (fields, firstName, lastName) => {
    expect(namesOf(fields)).toMatchObject({ firstName, lastName, namePrefix: '', nameSuffix: '' });
  });

  it('have further ones', () => {
    const parts = { firstName: 'Una', middleName: 'M.', lastName: 'Gray', namePrefix: 'Dr', nameSuffix: 'Sr' };
    expect(namesOf({ fullName: 'Una Gray', ...parts })).toEqual(parts);
  });
});
