import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError, api, newDuplicateKey } from '../../api.ts'
import { formatTime } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { useCurrencies } from '../../parts/fields/use-currencies.ts'
import { CheckButton } from '../../parts/files/check-button.tsx'
import { RefusedMenu } from '../../parts/files/export-menu.tsx'
import { FileField, FileNotes, SheetField, TemplateLinks, useSheets } from '../../parts/files/file-field.tsx'
import { readBase64 } from '../../parts/files/save-file.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { CheckedInvoices, InvoiceBatch } from '../../wire.ts'
import {
  BATCHES,
  type BatchChoice,
  BatchChoiceFields,
  BatchResult,
  describeSums,
  EarlierBatches,
} from './batch-parts.tsx'
import { BatchRows } from './import-rows.tsx'

const PATH = '/invoices/files'

/** Values for rows that lack them. */
interface ForAll {
  currency: string
  text: string
  due_date: string
  min_part: string
}

/** Checked file, with the values for its rows. */
interface Chosen {
  body: ForAll & { file_name: string; content: string; sheet: string | undefined }
  checked: CheckedInvoices
}

/** Invoices from a file: choose it, check its rows, make the invoices, and read the results. */
export default function ImportInvoices() {
  const [chosen, setChosen] = useState<Chosen>()
  const [result, setResult] = useState<InvoiceBatch>()
  const startAnew = () => {
    setChosen(undefined)
    setResult(undefined)
  }
  return (
    <>
      <BackLink to="/invoices">{t('invoices.title')}</BackLink>
      <PageHead title={t('batches.file.title')} about={t('batches.file.about')} />
      <Stack>
        {result ? (
          <BatchResult batch={result} again={startAnew} />
        ) : (
          <ChooseFile is_checked={chosen !== undefined} checked={setChosen} changed={() => setChosen(undefined)} />
        )}
        {chosen && !result && <Preview key={JSON.stringify(chosen.body)} chosen={chosen} done={setResult} />}
        <EarlierBatches />
      </Stack>
    </>
  )
}

function ChooseFile(props: { is_checked: boolean; checked(chosen: Chosen): void; changed(): void }) {
  const { is_checked, checked, changed } = props
  const { current, remember } = useCurrencies()
  const [file, setFile] = useState<File | null>(null)
  const [sheet, setSheet] = useState('')
  const [for_all, setForAll] = useState<ForAll>({
    currency: current,
    text: '',
    due_date: '',
    min_part: '',
  })
  const check = useMutation({
    mutationFn: async (given: File) => {
      const content = await readBase64(given, t('bulk.upload.unreadable'))
      const body = { ...for_all, file_name: given.name, content, sheet: sheet || undefined }
      try {
        return { body, checked: await api.post<CheckedInvoices>(`${PATH}/check`, body) }
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 413)) throw error
        throw new ApiError(413, t('bulk.upload.too_large'))
      }
    },
  })
  const refusal = check.error instanceof ApiError ? check.error.fields.file : undefined
  const sheets = useSheets(check.error, file)
  const restart = () => {
    check.reset()
    changed()
  }
  const choose = (given: File | null, chosen: string) => {
    setFile(given)
    setSheet(chosen)
    restart()
  }
  const onSuccess = (made: Chosen) => {
    remember(for_all.currency)
    checked(made)
  }
  return (
    <Panel title={t('bulk.file')}>
      <TemplateLinks path={PATH}>{t('batches.file.columns')}</TemplateLinks>
      <FileField value={file} error={refusal?.join(' ')} change={(given) => choose(given, '')} />
      <SheetField sheets={sheets} value={sheet} change={(chosen) => choose(file, chosen)} />
      <ForAllFields
        value={for_all}
        change={(value) => {
          setForAll(value)
          restart()
        }}
      />
      {!refusal && sheets.length === 0 && <Problem error={check.error} />}
      <CheckButton
        is_checked={is_checked}
        is_ready={file !== null}
        is_busy={check.isPending}
        check={() => file && check.mutate(file, { onSuccess })}
      >
        {t('batches.file.check')}
      </CheckButton>
    </Panel>
  )
}

function ForAllFields({ value, change }: { value: ForAll; change(value: ForAll): void }) {
  const { currencies } = useCurrencies()
  return (
    <>
      <Text fz="sm" fw={600}>
        {t('batches.file.for_all')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('invoices.fields.currency')}
          data={currencies}
          allowDeselect={false}
          value={value.currency}
          onChange={(currency) => change({ ...value, currency: currency ?? value.currency })}
        />
        <TextInput
          label={t('batches.file.text')}
          value={value.text}
          onChange={(event) => change({ ...value, text: event.currentTarget.value })}
        />
        <TextInput
          label={t('invoices.fields.due')}
          description={t('invoices.editor.due_about')}
          type="date"
          value={value.due_date}
          onChange={(event) => change({ ...value, due_date: event.currentTarget.value })}
        />
        <AmountInput
          label={t('invoices.fields.min_part')}
          description={t('invoices.editor.min_part_about')}
          currency={value.currency}
          value={value.min_part}
          onChange={(min_part) => change({ ...value, min_part })}
        />
      </SimpleGrid>
    </>
  )
}

/** Rows of a checked file, the decisions about them, and the button that makes the invoices. */
function Preview({ chosen, done }: { chosen: Chosen; done(result: InvoiceBatch): void }) {
  const { rows, refused, all, without_duplicates, ignored_columns, notes, same_file } = chosen.checked
  const [choice, setChoice] = useState<BatchChoice>({ duplicates: 'skip', issue: false })
  const keys = useRef<Record<string, string>>({})
  const client = useQueryClient()
  const making = useMutation({
    // The same key for the same choice: a lost answer or an interruption is repaired by pressing again.
    mutationFn: () => {
      const asked = JSON.stringify(choice)
      keys.current[asked] ??= newDuplicateKey()
      return api.postOnce<InvoiceBatch>(PATH, { ...chosen.body, ...choice }, keys.current[asked])
    },
    onSuccess: (result) => {
      client.invalidateQueries({ queryKey: ['/invoices'] })
      client.invalidateQueries({ queryKey: [BATCHES] })
      if (result) done(result)
    },
  })
  const sums = choice.duplicates === 'skip' ? without_duplicates : all
  return (
    <>
      {same_file.map(({ id, created, author_name: name, made }) => (
        <Alert key={id} color="yellow" title={t('bulk.same_file')}>
          {t('batches.file.same_file_about', { name, time: formatTime(created), made })}
        </Alert>
      ))}
      <FileNotes notes={notes} />
      {ignored_columns.length > 0 && (
        <Alert color="blue" title={t('bulk.ignored')}>
          {ignored_columns.join(', ')}
        </Alert>
      )}
      <Panel title={t('batches.totals')}>
        <Text role="status">{all.length === 0 ? t('batches.file.none') : describeSums(sums)}</Text>
        <BatchChoiceFields value={choice} asks={rows.some(({ warnings }) => warnings.length > 0)} change={setChoice} />
        <Problem error={making.error} />
        <Group>
          {all.length > 0 && (
            <Button loading={making.isPending} onClick={() => making.mutate()}>
              {t('batches.submit')}
            </Button>
          )}
          <RefusedMenu what={t('invoices.title')} read={refused} />
        </Group>
      </Panel>
      <BatchRows rows={rows} />
    </>
  )
}
