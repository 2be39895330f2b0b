import { ActionIcon, Button, Group, Input, Select, Stack, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { api } from '../../api.ts'
import { formatWord } from '../../format.ts'
import { useCards } from '../../parts/data-table.tsx'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import type { Done } from '../../parts/notify.tsx'
import { ReviewDialog } from '../../parts/review/review-dialog.tsx'
import { t } from '../../texts/index.ts'
import type { Payment, SignedReview } from '../../wire.ts'
import { useWalletChoices } from './wallet-choices.ts'

const emptyRecipient = { phonenumber: '', name: '', amount: '' }
const initial = {
  account: '',
  currency: '',
  payment_type: 'money',
  description: '',
  start_date: '',
  send_sms_message: false,
  recipient_data: [emptyRecipient],
}

/**
 * Send money or airtime to one phone or many.
 * @param props.phonenumber the first recipient, where the page knows it
 * @param props.secondary true where another action is the primary one of the page
 */
export function NewPayment({ phonenumber = '', secondary }: { phonenumber?: string; secondary?: boolean }) {
  return (
    <ReviewDialog
      button={t('payments.new.title')}
      title={t('payments.new.title')}
      submit={t('payments.new.submit')}
      look={{ leftSection: <IconPlus size={16} />, variant: secondary ? 'default' : 'filled' }}
      initial={{ ...initial, recipient_data: [{ ...emptyRecipient, phonenumber }] }}
      review={(values) => api.post<SignedReview>('/payment-reviews', toBody(values))}
      send={(values, key, { headers }) => api.postOnce<Payment>('/payments', toBody(values), key, headers)}
      done={describeSent}
      fields={(form) => <Fields form={form} />}
    />
  )
}

/** Return the body of a payment. The review and the payment itself have the same. */
function toBody({ account, recipient_data, ...values }: typeof initial) {
  return {
    ...values,
    account: Number(account),
    recipient_data: recipient_data.map(({ name, ...recipient }) => ({ ...recipient, ...splitName(name) })),
  }
}

/** Split a typed name as files of payments do: the first word, and the rest. */
function splitName(name: string): { first_name?: string; last_name?: string } {
  const [first_name, ...rest] = name.split(/\s+/).filter(Boolean)
  const last_name = rest.join(' ')
  return { ...(first_name && { first_name }), ...(last_name && { last_name }) }
}

/**
 * Describe the first state of a payment. @param payment undefined if the form was sent before, and its answer was lost
 */
function describeSent(payment: Payment | undefined): Done {
  if (!payment) return t('payments.new.sent_already')
  const { id, state } = payment
  const waits = state === 'approval_needed' || state === 'approval_requested'
  const done = waits ? 'for_approval' : state === 'scheduled' ? 'scheduled' : 'sent'
  return { message: t(`payments.new.${done}`), link: `/payments/${id}` }
}

function Fields({ form }: { form: UseFormReturnType<typeof initial> }) {
  const wallets = useWalletChoices()
  return (
    <>
      <Select
        label={t('payments.new.from')}
        placeholder={t('payments.new.choose_wallet')}
        data={wallets}
        allowDeselect={false}
        required
        {...form.getInputProps('account')}
        onChange={(account) =>
          form.setValues({
            account: account ?? '',
            currency: wallets.find(({ value }) => value === account)?.currency ?? '',
          })
        }
      />
      <Recipients form={form} />
      <TextInput
        label={t('fields.description')}
        description={t('payments.new.description_about')}
        required
        {...form.getInputProps('description')}
      />
      <FieldRow>
        <Select
          label={t('fields.type')}
          data={[
            { value: 'money', label: formatWord('money') },
            { value: 'airtime', label: formatWord('airtime') },
          ]}
          allowDeselect={false}
          {...form.getInputProps('payment_type')}
        />
        <TextInput
          label={t('payments.new.date')}
          description={t('payments.new.date_about')}
          type="date"
          {...form.getInputProps('start_date')}
        />
      </FieldRow>
      <Switch label={t('payments.new.send_sms')} {...form.getInputProps('send_sms_message', { type: 'checkbox' })} />
    </>
  )
}

function Recipients({ form }: { form: UseFormReturnType<typeof initial> }) {
  const { recipient_data: rows } = form.values
  const { byField, other } = readErrors(form.errors.recipient_data)
  // Fields below each other need a label each.
  const stacked = useCards()
  const labelOf = (index: number, label: string) => (index === 0 || stacked ? label : undefined)
  return (
    <Stack gap={stacked ? 'lg' : 'xs'}>
      {rows.map((_row, index) => (
        <Group key={form.key(`recipient_data.${index}`)} align="flex-start" wrap={stacked ? 'wrap' : 'nowrap'} gap="xs">
          <TextInput
            label={labelOf(index, t('fields.phone_number'))}
            aria-label={t('payments.new.phone_number_of', { number: index + 1 })}
            type="tel"
            flex={stacked ? '1 0 100%' : 3}
            required
            {...form.getInputProps(`recipient_data.${index}.phonenumber`)}
            error={byField.get(`${index}.phonenumber`)}
          />
          <TextInput
            label={labelOf(index, t('review.name'))}
            aria-label={t('review.name_of', { number: index + 1 })}
            flex={stacked ? '1 0 100%' : 3}
            maxLength={200}
            {...form.getInputProps(`recipient_data.${index}.name`)}
            error={byField.get(`${index}.first_name`) ?? byField.get(`${index}.last_name`)}
          />
          <AmountInput
            label={labelOf(index, t('fields.amount'))}
            aria-label={t('payments.new.amount_of', { number: index + 1 })}
            currency={form.values.currency}
            flex={stacked ? 1 : 2}
            required
            {...form.getInputProps(`recipient_data.${index}.amount`)}
            error={byField.get(`${index}.amount`)}
          />
          {rows.length > 1 && (
            <ActionIcon
              variant="default"
              size="input-sm"
              mt={index === 0 || stacked ? 25 : 0}
              aria-label={t('payments.new.remove', { number: index + 1 })}
              onClick={() => form.removeListItem('recipient_data', index)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      <Input.Description>{t('review.name_about')}</Input.Description>
      {other && <Input.Error role="alert">{other}</Input.Error>}
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => form.insertListItem('recipient_data', emptyRecipient)}
      >
        {t('payments.new.add')}
      </Button>
    </Stack>
  )
}

/** Split the service's text `recipient_data[0].amount: …` into messages for the fields of each row. */
function readErrors(error: unknown): { byField: Map<string, string>; other: string } {
  const byField = new Map<string, string>()
  const others: string[] = []
  for (const part of String(error ?? '').split(/ (?=recipient_data\[)/)) {
    const [, row, field, message] =
      /^recipient_data\[(\d+)\]\.(phonenumber|first_name|last_name|amount): (.*)$/s.exec(part) ?? []
    if (message === undefined) others.push(part)
    else byField.set(`${row}.${field}`, message)
  }
  return { byField, other: others.join(' ').trim() }
}
