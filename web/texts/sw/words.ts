import type { Catalogue } from '../catalogue.ts'

export const words: Catalogue['words'] = {
  state: {
    successful: 'Imefaulu',
    failed: 'Imeshindwa',
    pending: 'Inasubiri',
    cancelled: 'Imeghairiwa',
    expired: 'Muda umeisha',
    active: 'Inatumika',
  },
}
