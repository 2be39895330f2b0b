import { distance } from 'fastest-levenshtein'

/**
 * Computes the similarity of two names of a person, from 0 to 100 with one decimal: the share of characters that need
 * no change (Levenshtein distance divided by the length of the longer name). Case, accents, punctuation and word order
 * make no difference: `Akello, Grâce` and `grace AKELLO` score 100. A missing middle name lowers the score.
 */
export function nameSimilarity(one: string, other: string): number {
  const [a, b] = [normalize(one), normalize(other)]
  const longest = Math.max(a.length, b.length)
  if (longest === 0) return 0
  return Math.round((1 - distance(a, b) / longest) * 1_000) / 10
}

const ACCENTS = /\p{M}/gu
/** Signs that do not separate words: O'Brien is Obrien. */
const APOSTROPHES = /['’ʼ`]/g
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u

function normalize(name: string): string {
  const plain = name.normalize('NFKD').replace(ACCENTS, '').replace(APOSTROPHES, '').toLowerCase()
  return plain
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .sort()
    .join(' ')
}
