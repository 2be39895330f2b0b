import { FileInput, Select, Textarea, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { ListedOrder } from '../../wire.ts'

const initial = {
  outcome: 'successful',
  remote_id: '',
  amount: '',
  token: '',
  statement: '',
  note: '',
  document: null as File | null,
}

const OUTCOMES = [
  { value: 'successful', label: 'The money has moved' },
  { value: 'failed', label: 'It did not happen' },
]

const BILL_OUTCOMES = [
  { value: 'successful', label: 'The provider has sold it' },
  { value: 'failed', label: 'The provider has not sold it' },
]

/** A button for the form in which somebody says what the statement says about an order. */
export function Attest({ order: { reference, amount, kind } }: { order: ListedOrder }) {
  return (
    <FormDialog<typeof initial>
      button="Attest"
      title={`What does the statement say about ${reference}?`}
      submit="Attest"
      initial={{ ...initial, amount }}
      look={{ size: 'xs', variant: 'default' }}
      done="It waits for a second person. Nothing has changed yet."
      send={(values) => send(reference, values)}
      fields={(form) => (
        <>
          <Select
            label="End"
            data={kind === 'bill' ? BILL_OUTCOMES : OUTCOMES}
            allowDeselect={false}
            {...form.getInputProps('outcome')}
          />
          {form.values.outcome === 'successful' && (
            <>
              <TextInput label="Id of the money in the statement" {...form.getInputProps('remote_id')} />
              <TextInput label="Amount in the statement" {...form.getInputProps('amount')} />
              {kind === 'bill' && <TextInput label="Token of prepaid electricity" {...form.getInputProps('token')} />}
            </>
          )}
          <TextInput
            label="Statement"
            placeholder="March 2026, page 2"
            description="Which one, and where in it"
            {...form.getInputProps('statement')}
          />
          <Textarea label="Note" description="For the second person" {...form.getInputProps('note')} />
          <FileInput
            label="Document"
            description="PDF, PNG, JPEG, CSV or text, at most 2 MB"
            accept=".pdf,.png,.jpg,.jpeg,.csv,.txt"
            clearable
            {...form.getInputProps('document')}
          />
        </>
      )}
    />
  )
}

async function send(reference: string, { document, outcome, ...values }: typeof initial): Promise<unknown> {
  const { remote_id, amount, token, ...why } = values
  const money = outcome === 'successful' ? { remote_id, amount, token } : {}
  return api.post(`/orders/${reference}/attest`, {
    ...{ outcome, ...why, ...money },
    ...(document && { document: { name: document.name, content: await toBase64(document) } }),
  })
}

/** The content of a file in base64. A data URL has it behind its first comma. */
function toBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new Error('The file could not be read.'))
    reader.readAsDataURL(file)
  })
}
