import { ActionIcon, Button, Group, Input, Select, Stack, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { Wallet } from '../../wire.ts'

const emptyRecipient = { phonenumber: '', amount: '' }
const initial = {
  account: '',
  payment_type: 'money',
  description: '',
  start_date: '',
  send_sms_message: false,
  recipient_data: [emptyRecipient],
}

/** Sends money or airtime to one phone or many. */
export function NewPayment() {
  return (
    <FormDialog
      button="Send money"
      title="Send money"
      submit="Send"
      look={{ leftSection: <IconPlus size={16} /> }}
      initial={initial}
      send={({ account, ...values }) => api.post('/payments', { ...values, account: Number(account) })}
      done="The payment is made."
      fields={(form) => <Fields form={form} />}
    />
  )
}

function Fields({ form }: { form: UseFormReturnType<typeof initial> }) {
  const { data } = useQuery({
    queryKey: ['/accounts', 'active'],
    queryFn: () => api.get<List<Wallet>>('/accounts', { status: 'active', limit: 100, ordering: 'id' }),
  })
  const wallets = (data?.results ?? []).map(({ id, name, balance, currency }) => ({
    value: String(id),
    label: `${name}: ${formatMoney(String(balance), currency)}`,
  }))
  return (
    <>
      <Select
        label="From"
        placeholder="Choose a wallet"
        data={wallets}
        allowDeselect={false}
        required
        {...form.getInputProps('account')}
      />
      <Recipients form={form} />
      <TextInput
        label="Description"
        description="What it is for. Networks show some of it to the recipient."
        required
        {...form.getInputProps('description')}
      />
      <Group grow align="flex-start">
        <Select
          label="What"
          data={[
            { value: 'money', label: 'Money' },
            { value: 'airtime', label: 'Airtime' },
          ]}
          allowDeselect={false}
          {...form.getInputProps('payment_type')}
        />
        <TextInput
          label="When"
          description="At once, unless a day is given."
          type="date"
          {...form.getInputProps('start_date')}
        />
      </Group>
      <Switch
        label="Send each recipient an SMS when the money has arrived"
        {...form.getInputProps('send_sms_message', { type: 'checkbox' })}
      />
    </>
  )
}

function Recipients({ form }: { form: UseFormReturnType<typeof initial> }) {
  const { recipient_data: rows } = form.values
  const { byField, other } = readErrors(form.errors.recipient_data)
  return (
    <Stack gap="xs">
      {rows.map((_row, index) => (
        <Group key={form.key(`recipient_data.${index}`)} align="flex-start" wrap="nowrap" gap="xs">
          <TextInput
            label={index === 0 ? 'Phone number' : undefined}
            aria-label={`Phone number ${index + 1}`}
            type="tel"
            flex={2}
            required
            {...form.getInputProps(`recipient_data.${index}.phonenumber`)}
            error={byField.get(`${index}.phonenumber`)}
          />
          <TextInput
            label={index === 0 ? 'Amount' : undefined}
            aria-label={`Amount ${index + 1}`}
            inputMode="decimal"
            flex={1}
            required
            {...form.getInputProps(`recipient_data.${index}.amount`)}
            error={byField.get(`${index}.amount`)}
          />
          {rows.length > 1 && (
            <ActionIcon
              variant="default"
              size="input-sm"
              mt={index === 0 ? 25 : 0}
              aria-label={`Take recipient ${index + 1} away`}
              onClick={() => form.removeListItem('recipient_data', index)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {other && <Input.Error role="alert">{other}</Input.Error>}
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => form.insertListItem('recipient_data', emptyRecipient)}
      >
        Add a recipient
      </Button>
    </Stack>
  )
}

/** Splits the service's text `recipient_data[0].amount: …` into messages for the fields of each row. */
function readErrors(error: unknown): { byField: Map<string, string>; other: string } {
  const byField = new Map<string, string>()
  const other = String(error ?? '').replace(
    /recipient_data\[(\d+)\]\.(phonenumber|amount): (.*?)(?= recipient_data\[|$)/g,
    (_match, row: string, field: string, message: string) => {
      byField.set(`${row}.${field}`, message)
      return ''
    },
  )
  return { byField, other: other.trim() }
}
