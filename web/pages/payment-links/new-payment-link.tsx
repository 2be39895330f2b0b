import { SegmentedControl, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { api } from '../../api.ts'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { useCurrencies } from '../../parts/fields/use-currencies.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useGoOn } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
import type { PaymentLink } from '../../wire.ts'
import { OwnFields, type Question, toFields } from './own-fields.tsx'

const kinds = [
  { value: 'fixed', label: t('links.create.kinds.fixed') },
  { value: 'open', label: t('links.create.kinds.open') },
  { value: 'list', label: t('links.create.kinds.list') },
]

const initial = {
  title: '',
  description: '',
  currency: 'UGX',
  kind: 'fixed',
  amount: '',
  min_amount: '',
  max_amount: '',
  amounts: '',
  single_use: false,
  expiry_date: '',
  success_message: '',
  return_url: '',
  frame_ancestors: '',
  fields: [] as Question[],
}
type Values = typeof initial

/** Button with the form of a new link, which opens the page of the link. */
export function NewPaymentLink({ small = false }: { small?: boolean }) {
  const goOn = useGoOn()
  const { currencies, current, remember } = useCurrencies()
  return (
    <FormDialog<Values, PaymentLink | undefined>
      button={t('links.create.button')}
      title={t('links.create.button')}
      submit={t('links.create.submit')}
      look={small ? { variant: 'default', size: 'xs' } : undefined}
      initial={{ ...initial, currency: current }}
      done={t('links.create.done')}
      send={(values, key) => api.postOnce<PaymentLink>('/paymentlinks', toBody(values), key)}
      then={(link, { currency }) => {
        remember(currency)
        // The list shows a link whose answer was lost.
        goOn(link ? `/payment-links/${link.id}` : '/payment-links')
      }}
      fields={(form) => (
        <>
          <TextInput
            label={t('fields.title')}
            description={t('links.title_about')}
            required
            data-autofocus
            {...form.getInputProps('title')}
          />
          <Textarea label={t('fields.description')} autosize minRows={2} {...form.getInputProps('description')} />
          <AmountFields form={form} currencies={currencies} />
          <OwnFields
            value={form.values.fields}
            onChange={(fields) => form.setFieldValue('fields', fields)}
            error={form.errors.fields}
          />
          <Switch
            label={t('links.create.single_use')}
            description={t('links.create.single_use_about')}
            {...form.getInputProps('single_use', { type: 'checkbox' })}
          />
          <TextInput
            label={t('links.until')}
            description={t('links.until_about')}
            type="date"
            {...form.getInputProps('expiry_date')}
          />
          <TextInput
            label={t('links.success_message')}
            description={t('links.success_message_about')}
            {...form.getInputProps('success_message')}
          />
          <TextInput
            label={t('links.return_url')}
            placeholder={t('links.return_url_example')}
            type="url"
            {...form.getInputProps('return_url')}
          />
          <TextInput
            label={t('links.frames')}
            placeholder={t('links.frames_example')}
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
      <SegmentedControl aria-label={t('fields.amount')} data={kinds} {...form.getInputProps('kind')} />
      <FieldRow long={kind === 'open'}>
        {kind === 'fixed' && (
          <AmountInput
            label={t('fields.amount')}
            required
            currency={form.values.currency}
            {...form.getInputProps('amount')}
          />
        )}
        {kind === 'open' && (
          <>
            <AmountInput
              label={t('links.create.from')}
              required
              currency={form.values.currency}
              {...form.getInputProps('min_amount')}
            />
            <AmountInput
              label={t('links.create.to')}
              required
              currency={form.values.currency}
              {...form.getInputProps('max_amount')}
            />
          </>
        )}
        {kind === 'list' && (
          <TextInput
            label={t('links.create.amounts')}
            placeholder="1000, 2000, 5000"
            required
            {...form.getInputProps('amounts')}
          />
        )}
        <Select
          label={t('fields.currency')}
          data={currencies}
          allowDeselect={false}
          {...form.getInputProps('currency')}
        />
      </FieldRow>
    </Stack>
  )
}

/** Return only the fields of the chosen kind of amount, without empty ones. */
function toBody({ kind, amount, min_amount, max_amount, amounts, fields, ...rest }: Values): object {
  const money = kind === 'fixed' ? { amount } : kind === 'open' ? { min_amount, max_amount } : { amounts }
  const given = Object.entries({ ...rest, ...money }).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(given), fields: toFields(fields) }
}
