import { Anchor, Button, Group, Paper, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api, newDuplicateKey } from '../../api.ts'
import { formatCount, formatDate } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Facts } from '../../parts/facts.tsx'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { useCurrencies } from '../../parts/fields/use-currencies.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
import type { InvoiceBatch, TaggedPreview } from '../../wire.ts'
import {
  BATCHES,
  type BatchChoice,
  BatchChoiceFields,
  BatchResult,
  describeSums,
  EarlierBatches,
} from './batch-parts.tsx'

interface Values extends Record<string, unknown> {
  tag: string
  text: string
  amount: string
  currency: string
  due_date: string
  min_part: string
  reminder_days: string
  reminder_prompts: boolean
}

/** Same invoice for all customers with a tag: describe it, check the customers, and make the invoices. */
export default function InvoicesForTag() {
  const { current, remember } = useCurrencies()
  const [asked, setAsked] = useState<{ values: Values; preview: TaggedPreview }>()
  const [result, setResult] = useState<InvoiceBatch>()
  const form = useForm<Values>({
    initialValues: {
      tag: '',
      text: '',
      amount: '',
      currency: current,
      due_date: '',
      min_part: '',
      reminder_days: '',
      reminder_prompts: false,
    },
    onValuesChange: () => setAsked(undefined),
  })
  const { onSubmit, pending, error } = useSubmit(
    form,
    async (values) => ({ values, preview: await api.post<TaggedPreview>(`${BATCHES}/preview`, values) }),
    (answer, unchanged) => {
      remember(answer.values.currency)
      if (unchanged) setAsked(answer)
    },
  )
  const startAnew = () => {
    setResult(undefined)
    setAsked(undefined)
  }
  return (
    <>
      <BackLink to="/invoices">{t('invoices.title')}</BackLink>
      <PageHead title={t('batches.tag.title')} about={t('batches.tag.about')} />
      <Stack>
        {result ? (
          <BatchResult batch={result} again={startAnew} />
        ) : (
          <form onSubmit={onSubmit} noValidate>
            <Paper withBorder p="lg">
              <Stack>
                <Fields form={form} />
                <Problem error={error} />
                <Group justify="flex-end">
                  <Button type="submit" variant={asked ? 'default' : 'filled'} loading={pending}>
                    {t('batches.tag.preview')}
                  </Button>
                </Group>
              </Stack>
            </Paper>
          </form>
        )}
        {asked && !result && <Preview {...asked} done={setResult} />}
        <EarlierBatches />
      </Stack>
    </>
  )
}

function Fields({ form }: { form: UseFormReturnType<Values> }) {
  const { currencies } = useCurrencies()
  return (
    <>
      <FieldRow>
        <TextInput label={t('batches.tag.tag')} required data-autofocus {...form.getInputProps('tag')} />
        <TextInput label={t('batches.file.text')} required {...form.getInputProps('text')} />
      </FieldRow>
      <FieldRow>
        <AmountInput
          label={t('batches.tag.amount')}
          required
          currency={form.values.currency}
          {...form.getInputProps('amount')}
        />
        <Select
          label={t('invoices.fields.currency')}
          data={currencies}
          allowDeselect={false}
          {...form.getInputProps('currency')}
        />
      </FieldRow>
      <FieldRow>
        <TextInput
          label={t('invoices.fields.due')}
          description={t('invoices.editor.due_about')}
          type="date"
          {...form.getInputProps('due_date')}
        />
        <AmountInput
          label={t('invoices.fields.min_part')}
          description={t('invoices.editor.min_part_about')}
          currency={form.values.currency}
          {...form.getInputProps('min_part')}
        />
      </FieldRow>
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

const SHOWN = 20

function Preview(props: { values: Values; preview: TaggedPreview; done(batch: InvoiceBatch): void }) {
  const { values, preview, done } = props
  const { customers, without_phone, due_date, all, without_duplicates, duplicates } = preview
  const [choice, setChoice] = useState<BatchChoice>({ duplicates: 'skip', issue: false })
  const keys = useRef<Record<string, string>>({})
  const client = useQueryClient()
  const making = useMutation({
    // The same key for the same choice: a lost answer or an interruption is repaired by pressing again.
    mutationFn: () => {
      const asked = JSON.stringify(choice)
      keys.current[asked] ??= newDuplicateKey()
      return api.postOnce<InvoiceBatch>(BATCHES, { ...values, due_date, ...choice }, keys.current[asked])
    },
    onSuccess: (batch) => {
      client.invalidateQueries({ queryKey: ['/invoices'] })
      client.invalidateQueries({ queryKey: [BATCHES] })
      if (batch) done(batch)
    },
  })
  return (
    <Panel title={t('batches.totals')}>
      <Facts
        facts={[
          [t('batches.tag.customers'), formatCount(customers)],
          [t('batches.totals'), describeSums(choice.duplicates === 'skip' ? without_duplicates : all)],
          [t('batches.tag.due'), formatDate(due_date)],
          ...(without_phone > 0 ? [[t('batches.tag.without_phone'), formatCount(without_phone)] as const] : []),
          ...(duplicates.length > 0 ? [[t('batches.tag.have_it'), formatCount(duplicates.length)] as const] : []),
        ]}
      />
      {duplicates.slice(0, SHOWN).map(({ contact, customer_number, name, invoice, number }) => (
        <Text key={contact} fz="sm">
          {[customer_number, name].filter(Boolean).join(', ')}{' '}
          <Anchor component={Link} to={`/invoices/${invoice}`} fz="sm" underline="always">
            {number ?? t('batches.file.draft', { id: invoice })}
          </Anchor>
        </Text>
      ))}
      <BatchChoiceFields value={choice} asks={duplicates.length > 0} change={setChoice} />
      <Problem error={making.error} />
      <Group>
        <Button loading={making.isPending} onClick={() => making.mutate()}>
          {t('batches.submit')}
        </Button>
      </Group>
    </Panel>
  )
}
