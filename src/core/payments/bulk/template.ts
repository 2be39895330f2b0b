import type { Workbook } from '../../files/template.ts'
import type { Column } from './columns.ts'

/** The Excel template of a file of payments. */
export const paymentWorkbook: Workbook<Column> = {
  sheet: 'Payments',
  widths: { phone_number: 20, name: 26, amount: 14, currency: 10, reference: 30, wallet: 20 },
  explanations: {
    phone_number:
      'Required. As people of the country write it, such as 0772 000001, or with the country code: +256772000001.',
    name: 'The name of the recipient. It can be compared with the name that the network knows.',
    amount: 'Required. Digits only, with a point before decimals: 1500 or 1500.50.',
    currency: 'Such as UGX. Empty: the currency of the wallet that pays.',
    reference: 'What the payment is for. Empty: the description of the whole file.',
    wallet: 'The name or the number of the wallet that pays. Empty: the wallet chosen for the whole file.',
  },
}
