import { Select, Textarea, TextInput } from '@mantine/core'
import { api } from '../api.ts'
import { formatMoney } from '../format.ts'
import type { Incoming, Payment, RequestAction } from '../wire.ts'
import { FormDialog } from './form-dialog.tsx'

type Reason = NonNullable<RequestAction['reason']>

/** Why money is refunded, in words. */
export const refundReasons: Record<Reason, string> = {
  customer_request: 'The customer asked for it',
  duplicate: 'It was paid twice',
  wrong_amount: 'The amount was wrong',
  not_delivered: 'The goods or the service were not delivered',
  fraud: 'Fraud',
  other: 'Another reason',
}

/** The button and the form that refund a collection. Pressing twice refunds once. @param props.path the route that does it */
export function RefundDialog({ collection, path }: { collection: Incoming; path: string }) {
  const { standing, currency, phonenumber } = collection
  const left = formatMoney(standing.left, currency)
  return (
    <FormDialog
      button="Refund"
      title="Refund this money"
      submit="Refund"
      look={{ variant: 'default' }}
      initial={{ amount: '', reason: '', comment: '' }}
      send={(values, key) => api.postOnce<Payment>(path, values, key)}
      done={(payment) =>
        payment ? `Payment ${payment.id} sends the money back.` : 'It was refunded already, as you sent it first.'
      }
      fields={(form) => (
        <>
          <TextInput
            label="Amount"
            description={`All of it, ${left}, unless you say less. It goes to ${phonenumber}.`}
            inputMode="decimal"
            data-autofocus
            {...form.getInputProps('amount')}
          />
          <Select
            label="Reason"
            required
            placeholder="Choose one"
            data={Object.entries(refundReasons).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('reason')}
          />
          <Comment required={form.values.reason === 'other'} {...form.getInputProps('comment')} />
        </>
      )}
    />
  )
}

/** The field in which people say why they do something. It is kept. */
export function Comment({ required = false, ...input }: { required?: boolean; [property: string]: unknown }) {
  return (
    <Textarea
      label="In your own words"
      description="It is kept, and everybody who may see the request can read it."
      required={required}
      maxLength={500}
      autosize
      minRows={2}
      {...input}
    />
  )
}
