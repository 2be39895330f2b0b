import { Group, SegmentedControl, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { api } from '../../api.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSession } from '../../session.tsx'
import { OwnFields, type Question, toFields } from './own-fields.tsx'

const kinds = [
  { value: 'fixed', label: 'One amount' },
  { value: 'open', label: 'The customer chooses' },
  { value: 'list', label: 'A list' },
]

const initial = {
  ...{ title: '', description: '', currency: 'UGX', kind: 'fixed' },
  ...{ amount: '', min_amount: '', max_amount: '', amounts: '' },
  ...{ single_use: false, expiry_date: '', success_message: '', return_url: '', frame_ancestors: '' },
  fields: [] as Question[],
}
type Values = typeof initial

/** A button that opens the form of a new link. */
export function NewPaymentLink() {
  const { mode } = useSession()
  const sandbox = mode === 'sandbox'
  return (
    <FormDialog<Values>
      button="Create a link"
      title="Create a payment link"
      submit="Create"
      initial={{ ...initial, currency: sandbox ? 'BXC' : 'UGX' }}
      done="The link takes payments from now on."
      send={(values) => api.post('/paymentlinks', toBody(values))}
      fields={(form) => (
        <>
          <TextInput
            label="Title"
            description="What is paid"
            required
            data-autofocus
            {...form.getInputProps('title')}
          />
          <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
          <AmountFields form={form} currencies={sandbox ? ['BXC', 'UGX', 'KES'] : ['UGX', 'KES']} />
          <OwnFields
            value={form.values.fields}
            onChange={(fields) => form.setFieldValue('fields', fields)}
            error={form.errors.fields}
          />
          <Switch
            label="Only one payment"
            description="It closes when it has been paid."
            {...form.getInputProps('single_use', { type: 'checkbox' })}
          />
          <TextInput
            label="Takes payments until"
            description="Such as 7 days or 31/12/2030; for ever unless given"
            {...form.getInputProps('expiry_date')}
          />
          <TextInput
            label="Text on the receipt"
            description="Also sent as an SMS; {amount} is replaced"
            {...form.getInputProps('success_message')}
          />
          <TextInput
            label="Where the customer goes back to"
            placeholder="https://shop.example/thanks"
            type="url"
            {...form.getInputProps('return_url')}
          />
          <TextInput
            label="Sites that may show the page in a frame"
            placeholder="https://shop.example"
            {...form.getInputProps('frame_ancestors')}
          />
        </>
      )}
    />
  )
}

function AmountFields({ form, currencies }: { form: UseFormReturnType<Values>; currencies: string[] }) {
  const { kind } = form.values
  return (
    <Stack gap="xs">
      <SegmentedControl aria-label="Amount" data={kinds} {...form.getInputProps('kind')} />
      <Group grow align="flex-start">
        {kind === 'fixed' && (
          <TextInput label="Amount" inputMode="decimal" required {...form.getInputProps('amount')} />
        )}
        {kind === 'open' && (
          <>
            <TextInput label="From" inputMode="decimal" required {...form.getInputProps('min_amount')} />
            <TextInput label="To" inputMode="decimal" required {...form.getInputProps('max_amount')} />
          </>
        )}
        {kind === 'list' && (
          <TextInput label="Amounts" placeholder="1000, 2000, 5000" required {...form.getInputProps('amounts')} />
        )}
        <Select label="Currency" data={currencies} allowDeselect={false} {...form.getInputProps('currency')} />
      </Group>
    </Stack>
  )
}

/** Only the fields of the chosen kind of amount, and none that is empty. */
function toBody({ kind, amount, min_amount, max_amount, amounts, fields, ...rest }: Values): object {
  const money = kind === 'fixed' ? { amount } : kind === 'open' ? { min_amount, max_amount } : { amounts }
  const given = Object.entries({ ...rest, ...money }).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(given), fields: toFields(fields) }
}
