import {
  Alert,
  Button,
  Group,
  Radio,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError, api, newDuplicateKey } from '../../api.ts'
import { formatMoney, formatTime } from '../../format.ts'
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
import type { CheckedRequests, RequestBatch, RequestBatchPreview, RequestSum } from '../../wire.ts'
import { BATCHES, EarlierBatches, RequestRows, Result } from './many-parts.tsx'

const FILES = '/collectionrequests/files'

type Source = 'file' | 'tag'

/** Values for all customers whose rows lack them. */
interface ForAll {
  currency: string
  reason: string
  expiry_date: string
  send_instructions: boolean
}

/** Answer of a check: requests for a tag have no parts of a file. */
type Checked = RequestBatchPreview & Partial<CheckedRequests>

/** Requests that were checked, and the call that makes them. */
interface Chosen {
  source: Source
  path: string
  body: object
  checked: Checked
}

/** Requests to many customers: choose them, check the rows, make the requests, and read the results. */
export default function RequestsToMany() {
  const [source, setSource] = useState<Source>('file')
  const [chosen, setChosen] = useState<Chosen>()
  const [result, setResult] = useState<RequestBatch>()
  const startAnew = () => {
    setChosen(undefined)
    setResult(undefined)
  }
  return (
    <>
      <BackLink to="/collectionrequests">{t('shell.nav.collection_requests')}</BackLink>
      <PageHead title={t('request_batches.title')} about={t('request_batches.about')} />
      <Stack>
        {result ? (
          <Result batch={result} again={startAnew} />
        ) : (
          <>
            <Group>
              <SegmentedControl
                value={source}
                data={[
                  { value: 'file', label: t('request_batches.from_file') },
                  { value: 'tag', label: t('request_batches.for_tag') },
                ]}
                onChange={(value) => {
                  setSource(value === 'tag' ? 'tag' : 'file')
                  setChosen(undefined)
                }}
              />
            </Group>
            <Choose
              key={source}
              source={source}
              is_checked={chosen !== undefined}
              checked={setChosen}
              changed={() => setChosen(undefined)}
            />
          </>
        )}
        {chosen && !result && <Preview key={JSON.stringify(chosen.body)} chosen={chosen} done={setResult} />}
        <EarlierBatches />
      </Stack>
    </>
  )
}

interface Given {
  file: File | null
  sheet: string
  tag: string
  amount: string
}

async function check(source: Source, { file, sheet, tag, amount }: Given, for_all: ForAll): Promise<Chosen> {
  const [path, check_path] = source === 'file' ? [FILES, `${FILES}/check`] : [BATCHES, `${BATCHES}/preview`]
  const from = file && {
    file_name: file.name,
    content: await readBase64(file, t('bulk.upload.unreadable')),
    sheet: sheet || undefined,
  }
  const body = { ...for_all, ...(from ?? { tag, amount }) }
  try {
    return { source, path, body, checked: await api.post<Checked>(check_path, body) }
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 413)) throw error
    throw new ApiError(413, t('bulk.upload.too_large'))
  }
}

function Choose(props: { source: Source; is_checked: boolean; checked(chosen: Chosen): void; changed(): void }) {
  const { source, is_checked, checked, changed } = props
  const { current, remember } = useCurrencies()
  const [given, setGiven] = useState<Given>({ file: null, sheet: '', tag: '', amount: '' })
  const [for_all, setForAll] = useState<ForAll>({
    currency: current,
    reason: '',
    expiry_date: '',
    send_instructions: true,
  })
  const checking = useMutation({ mutationFn: () => check(source, given, for_all) })
  const onSuccess = (chosen: Chosen) => {
    remember(for_all.currency)
    checked(chosen)
  }
  const refusal = checking.error instanceof ApiError ? checking.error.fields.file : undefined
  const sheets = useSheets(checking.error, given.file)
  const change = (value: Partial<Given>, all = for_all) => {
    setGiven({ ...given, ...value })
    setForAll(all)
    checking.reset()
    changed()
  }
  const is_complete = source === 'file' ? given.file !== null : given.tag !== '' && given.amount !== ''
  return (
    <Panel title={source === 'file' ? t('bulk.file') : t('batches.tag.customers')}>
      {source === 'file' ? (
        <>
          <TemplateLinks path={FILES}>{t('request_batches.columns')}</TemplateLinks>
          <FileField value={given.file} error={refusal?.join(' ')} change={(file) => change({ file, sheet: '' })} />
          <SheetField sheets={sheets} value={given.sheet} change={(sheet) => change({ sheet })} />
          <Text fz="sm" fw={600}>
            {t('batches.file.for_all')}
          </Text>
        </>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('batches.tag.tag')}
            required
            value={given.tag}
            onChange={(event) => change({ tag: event.currentTarget.value })}
          />
          <AmountInput
            label={t('batches.tag.amount')}
            required
            currency={for_all.currency}
            value={given.amount}
            onChange={(amount) => change({ amount })}
          />
        </SimpleGrid>
      )}
      <ForAllFields value={for_all} change={(all) => change({}, all)} />
      {!refusal && sheets.length === 0 && <Problem error={checking.error} />}
      <CheckButton
        is_checked={is_checked}
        is_ready={is_complete}
        is_busy={checking.isPending}
        check={() => checking.mutate(undefined, { onSuccess })}
      >
        {source === 'file' ? t('batches.file.check') : t('batches.tag.preview')}
      </CheckButton>
    </Panel>
  )
}

function ForAllFields({ value, change }: { value: ForAll; change(value: ForAll): void }) {
  const { currencies } = useCurrencies()
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('fields.currency')}
          data={currencies}
          allowDeselect={false}
          value={value.currency}
          onChange={(currency) => change({ ...value, currency: currency ?? value.currency })}
        />
        <TextInput
          label={t('fields.reason')}
          value={value.reason}
          onChange={(event) => change({ ...value, reason: event.currentTarget.value })}
        />
        <TextInput
          label={t('request_batches.expiry')}
          description={t('request_batches.expiry_about')}
          value={value.expiry_date}
          onChange={(event) => change({ ...value, expiry_date: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Switch
        label={t('request_batches.instructions')}
        checked={value.send_instructions}
        onChange={(event) => change({ ...value, send_instructions: event.currentTarget.checked })}
      />
    </>
  )
}

function describeSums(sums: readonly RequestSum[]): string {
  if (sums.length === 0) return t('batches.nothing')
  return sums
    .map(({ currency, network, requests, total }) =>
      t('request_batches.sum', { count: requests, network, money: formatMoney(total, currency) }),
    )
    .join('; ')
}

/** Checked rows, the decisions about them, and the button that makes the requests. */
function Preview({ chosen, done }: { chosen: Chosen; done(result: RequestBatch): void }) {
  const { rows, refused, all, without_duplicates, ignored_columns = [], notes = [], same_file = [] } = chosen.checked
  const [duplicates, setDuplicates] = useState<'skip' | 'create'>('skip')
  const keys = useRef<Record<string, string>>({})
  const client = useQueryClient()
  const making = useMutation({
    // The same key for the same choice: a lost answer or an interruption is repaired by pressing again.
    mutationFn: () => {
      keys.current[duplicates] ??= newDuplicateKey()
      return api.postOnce<RequestBatch>(chosen.path, { ...chosen.body, duplicates }, keys.current[duplicates])
    },
    onSuccess: (result) => {
      client.invalidateQueries({ queryKey: ['/collectionrequests'] })
      client.invalidateQueries({ queryKey: [BATCHES] })
      if (result) done(result)
    },
  })
  const sums = duplicates === 'skip' ? without_duplicates : all
  return (
    <>
      {same_file.map(({ id, created, author_name: name, made }) => (
        <Alert key={id} color="yellow" title={t('bulk.same_file')}>
          {t('request_batches.same_file_about', { name, time: formatTime(created), made })}
        </Alert>
      ))}
      <FileNotes notes={notes} />
      {ignored_columns.length > 0 && (
        <Alert color="blue" title={t('bulk.ignored')}>
          {ignored_columns.join(', ')}
        </Alert>
      )}
      <Panel title={t('batches.totals')}>
        <Text role="status">{all.length === 0 ? t('request_batches.none') : describeSums(sums)}</Text>
        {rows.some(({ warnings }) => warnings.length > 0) && (
          <Radio.Group
            label={t('request_batches.duplicates')}
            value={duplicates}
            onChange={(value) => setDuplicates(value === 'create' ? 'create' : 'skip')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="skip" label={t('request_batches.skip')} />
              <Radio value="create" label={t('request_batches.create')} />
            </Stack>
          </Radio.Group>
        )}
        <Problem error={making.error} />
        <Group>
          {all.length > 0 && (
            <Button loading={making.isPending} onClick={() => making.mutate()}>
              {t('request_batches.submit')}
            </Button>
          )}
          {refused && <RefusedMenu what={t('shell.nav.collection_requests')} read={refused} />}
        </Group>
      </Panel>
      <RequestRows rows={rows} source={chosen.source} />
    </>
  )
}
