import { Button, Group, Paper, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { toInput } from '../../parts/fields/to-input.ts'
import { useCurrencies } from '../../parts/fields/use-currencies.ts'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useGoOn, useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
import { languages } from '../../texts/languages.ts'
import type { Invoice, InvoiceTotals } from '../../wire.ts'
import { type EditedLine, Lines, toLines } from './lines.tsx'
import { InvoiceSheet } from './sheet.tsx'

interface Values extends Record<string, unknown> {
  phonenumber: string
  first_name: string
  last_name: string
  currency: string
  lines: EditedLine[]
  due_date: string
  notes: string
  language: string
  min_part: string
  reminder_days: string
  reminder_prompts: boolean
  /** True for an invoice that is issued at once. */
  issue: boolean
}

const languageChoices = Object.entries(languages).map(([value, label]) => ({ value, label }))

/** Make a new draft, or change one, with a preview for the customer's view. */
export default function InvoiceEditor() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/invoices', id, 'edit'],
    queryFn: () => api.get<Invoice>(`/invoices/${id}`),
    enabled: id !== undefined,
    // A refresh must not replace typed text.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { live: false },
  })
  if (error) return <Problem error={error} retry={refetch} />
  if (id !== undefined && !data) return <Loading />
  return (
    <>
      <BackLink to="/invoices">{t('invoices.title')}</BackLink>
      <PageHead
        title={data ? t('invoices.editor.edit') : t('invoices.editor.new')}
        about={data ? t('invoices.editor.about') : t('invoices.editor.about_new')}
      />
      <Editor draft={data} />
    </>
  )
}

function Editor({ draft }: { draft: Invoice | undefined }) {
  const client = useQueryClient()
  const goOn = useGoOn()
  const { currencies, current, remember } = useCurrencies()
  const form = useForm<Values>({ initialValues: valuesOf(draft, current) })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values, key) =>
      draft
        ? api.patch<Invoice>(`/invoices/${draft.id}`, toBody(values))
        : api.postOnce<Invoice>(values.issue ? '/invoices/issued' : '/invoices', toBody(values), key),
    (saved) => {
      remember(form.values.currency)
      client.invalidateQueries({ queryKey: ['/invoices'] })
      // A call before this one has made it, if there is none: it is the first of the list.
      goOn(saved ? `/invoices/${saved.id}` : '/invoices')
    },
  )
  const { issue } = form.values
  return (
    <form onSubmit={onSubmit} noValidate>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <Paper withBorder p="lg">
            <Stack>
              <CustomerFields form={form} currencies={currencies} />
              <Lines
                value={form.values.lines}
                onChange={(lines) => form.setFieldValue('lines', lines)}
                error={form.errors.lines}
              />
              <SettingFields form={form} />
              <Problem error={error} />
              <Group justify="flex-end">
                <Button
                  type="submit"
                  variant={draft ? 'filled' : 'default'}
                  loading={pending && !issue}
                  disabled={pending && issue}
                  onClick={() => form.setFieldValue('issue', false)}
                >
                  {t('invoices.editor.save')}
                </Button>
                {!draft && (
                  // The button of a form sends it at Enter, which must not issue an invoice.
                  <Button
                    loading={pending && issue}
                    disabled={pending && !issue}
                    onClick={() => {
                      form.setFieldValue('issue', true)
                      onSubmit()
                    }}
                  >
                    {t('invoices.editor.issue')}
                  </Button>
                )}
              </Group>
            </Stack>
          </Paper>
        </Stack>
        <Preview values={form.values} />
      </SimpleGrid>
    </form>
  )
}

function CustomerFields({ form, currencies }: { form: UseFormReturnType<Values>; currencies: string[] }) {
  return (
    <>
      <TextInput
        label={t('invoices.editor.phonenumber')}
        type="tel"
        required
        data-autofocus
        {...form.getInputProps('phonenumber')}
      />
      <FieldRow>
        <TextInput label={t('invoices.fields.first_name')} {...form.getInputProps('first_name')} />
        <TextInput label={t('invoices.fields.last_name')} {...form.getInputProps('last_name')} />
      </FieldRow>
      <FieldRow>
        <Select
          label={t('invoices.fields.currency')}
          data={currencies}
          allowDeselect={false}
          {...form.getInputProps('currency')}
        />
        <TextInput
          label={t('invoices.fields.due')}
          description={t('invoices.editor.due_about')}
          type="date"
          {...form.getInputProps('due_date')}
        />
      </FieldRow>
    </>
  )
}

function SettingFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <Textarea label={t('invoices.fields.notes')} autosize minRows={2} {...form.getInputProps('notes')} />
      <Select
        label={t('invoices.editor.language')}
        data={languageChoices}
        allowDeselect={false}
        {...form.getInputProps('language')}
      />
      <AmountInput
        label={t('invoices.fields.min_part')}
        description={t('invoices.editor.min_part_about')}
        currency={form.values.currency}
        {...form.getInputProps('min_part')}
      />
      <TextInput
        label={t('invoices.editor.reminders')}
        description={t('invoices.editor.reminders_about')}
        {...form.getInputProps('reminder_days')}
      />
      <Switch
        label={t('invoices.editor.prompts')}
        description={t('invoices.editor.prompts_about')}
        {...form.getInputProps('reminder_prompts', { type: 'checkbox' })}
      />
    </>
  )
}

/** Preview of the customer's view. The service adds up, so that the sums match the invoice. */
function Preview({ values: { lines, currency, notes } }: { values: Values }) {
  const [asked] = useDebouncedValue({ currency, lines: toLines(lines) }, 300)
  const { data, error } = useQuery({
    queryKey: ['invoice totals', asked],
    queryFn: () => api.post<InvoiceTotals>('/invoices/totals', asked),
    enabled: asked.lines.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const shown = asked.lines.length > 0 && !error && data
  return (
    <Panel title={t('invoices.editor.preview')}>
      {shown ? (
        <InvoiceSheet content={{ ...shown, notes, currency }} />
      ) : (
        <Text fz="sm" c="dimmed">
          {t('invoices.editor.preview_empty')}
        </Text>
      )}
    </Panel>
  )
}

function valuesOf(draft: Invoice | undefined, currency: string): Values {
  return {
    phonenumber: draft?.phonenumber ?? '',
    first_name: '',
    last_name: '',
    notes: draft?.notes ?? '',
    currency: draft?.currency ?? currency,
    due_date: draft?.due_date ?? '',
    language: draft?.language ?? 'en',
    reminder_prompts: draft?.reminder_prompts ?? false,
    issue: false,
    min_part: toInput(draft?.min_part),
    reminder_days: draft?.reminder_days.join(', ') ?? '',
    lines: draft?.lines.map(({ text, quantity, unit_price, tax_rate }) => ({
      text,
      quantity: toInput(quantity),
      unit_price: toInput(unit_price),
      tax_rate: toInput(tax_rate),
    })) ?? [{ text: '', quantity: '1', unit_price: '', tax_rate: '' }],
  }
}

function toBody({ lines, first_name, last_name, min_part, issue: _, ...rest }: Values): object {
  return {
    ...rest,
    min_part: min_part.trim() || '0',
    first_name: first_name || undefined,
    last_name: last_name || undefined,
    lines: toLines(lines, true),
  }
}
