/*
 * A school in Kampala: its classes, fees, pupils and parents. Everything follows from the admission number, so that a table of
 * payments can name pupils and their parents and nothing else.
 */

/** Number of pupils in each class, and the price of its term. */
export const CLASSES = {
  P1: { pupils: 600, fee: 600_000 },
  P2: { pupils: 600, fee: 600_000 },
  P3: { pupils: 600, fee: 600_000 },
  P4: { pupils: 600, fee: 750_000 },
  P5: { pupils: 600, fee: 750_000 },
  P6: { pupils: 600, fee: 750_000 },
  P7: { pupils: 60, fee: 900_000 },
  S1: { pupils: 340, fee: 1_200_000 },
} as const
export type ClassName = keyof typeof CLASSES
export const CLASS_NAMES = Object.keys(CLASSES) as ClassName[]

export interface Pupil {
  number: string
  class: ClassName
  name: string
  mother?: string
  father?: string
}

const GIVEN = ['Amina', 'Brian', 'Charity', 'Daniel', 'Esther', 'Faizal', 'Grace', 'Hassan', 'Irene', 'Joel', 'Kevin']
const FAMILY = ['Nakato', 'Okello', 'Mugisha', 'Achan', 'Ssali', 'Namukasa', 'Opio', 'Tumusiime', 'Wasswa']

/** The number of a pupil, such as `P5-017`. */
export function numberOf(name: ClassName, index: number): string {
  return `${name}-${String(index).padStart(3, '0')}`
}

/** The fee of a pupil. */
export function feeOf(number: string): number {
  return CLASSES[classOf(number)].fee
}

export function classOf(number: string): ClassName {
  return number.split('-')[0] as ClassName
}

/**
 * Every fourth pupil of P1 has a brother or sister with the same last digits in P2 and P3, and all three have one mother. Every
 * tenth pupil has no phone at all, and every third pupil of the others a father who pays as well.
 */
function readPupil(name: ClassName, index: number): Pupil {
  const row = CLASS_NAMES.indexOf(name)
  const has_siblings = row < 3 && index % 4 === 0
  const family = has_siblings ? index : index + row * 4
  const pupil = {
    number: numberOf(name, index),
    class: name,
    name: `${GIVEN[(index * 7 + row) % GIVEN.length]} ${FAMILY[family % FAMILY.length]}`,
  }
  if (index % 10 === 9) return pupil
  const phone = (kind: number) => `+8007${kind}${has_siblings ? 1 : row + 1}${String(index).padStart(5, '0')}`
  return { ...pupil, mother: phone(0), ...(index % 3 === 0 && { father: phone(1) }) }
}

/** The pupils of a class in the order of their numbers. */
export function pupilsOf(name: ClassName): Pupil[] {
  return Array.from({ length: CLASSES[name].pupils }, (_, index) => readPupil(name, index + 1))
}

/** The phone of the mother of a pupil who has one. */
export function motherOf(number: string): string {
  return findPhone(number, 'mother')
}

/** The phone of the father of a pupil who has one. */
export function fatherOf(number: string): string {
  return findPhone(number, 'father')
}

function findPhone(number: string, parent: 'mother' | 'father'): string {
  const phone = readPupil(classOf(number), Number(number.split('-')[1]))[parent]
  if (phone === undefined) throw new Error(`${number} has no ${parent} with a phone.`)
  return phone
}

/** The phone of somebody whom the school does not know. */
export function strangerPhone(index: number): string {
  return `+800799${String(index).padStart(5, '0')}`
}

/** The list of all pupils as a school has it, with the phones as parents write them. */
export function pupilsFile(): Buffer {
  const rows = CLASS_NAMES.flatMap(pupilsOf).map(({ number, name, class: of, mother = '', father = '' }) => {
    const [, family] = name.split(' ')
    return [number, name, of, mother && `Mrs ${family}`, mother, father && `Mr ${family}`, father].join(',')
  })
  const titles = 'Admission no,Pupil name,Class,Mother,Mother phone,Father,Father phone'
  return Buffer.from([titles, ...rows].join('\n'))
}
