import { Alert, Anchor, Button, Group, Radio, Stack, Text } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ApiError, api, type List, newDuplicateKey } from '../../api.ts'
import { formatCount, formatTime } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { CheckButton } from '../../parts/files/check-button.tsx'
import { RefusedMenu } from '../../parts/files/export-menu.tsx'
import { FileField, FileNotes, SheetField, TemplateLinks, useSheets } from '../../parts/files/file-field.tsx'
import { readBase64 } from '../../parts/files/save-file.ts'
import { PageChoice } from '../../parts/list/page-choice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { CheckedContacts, ContactImport } from '../../wire.ts'
import { ImportRows, KeptRefusedButton } from './import-rows.tsx'

const PATH = '/contacts/imports'

/** Checked file. It is imported under this key however often the button is pressed. */
interface Chosen {
  body: { file_name: string; content: string; sheet: string | undefined }
  checked: CheckedContacts
}

/** Contacts from a file: choose it, check its rows, import them, and read the results. */
export default function ImportContacts() {
  const [chosen, setChosen] = useState<Chosen>()
  const [result, setResult] = useState<ContactImport>()
  const startAnew = () => {
    setChosen(undefined)
    setResult(undefined)
  }
  return (
    <>
      <BackLink to="/contacts">{t('shell.nav.contacts')}</BackLink>
      <PageHead title={t('contacts.import.title')} about={t('contacts.import.about')} />
      <Stack>
        {result && chosen ? (
          <Result result={result} refused={chosen.checked.refused} startAnew={startAnew} />
        ) : (
          <ChooseFile is_checked={chosen !== undefined} checked={setChosen} changed={() => setChosen(undefined)} />
        )}
        {chosen && !result && <Preview key={chosen.body.content} chosen={chosen} done={setResult} />}
        <Earlier />
      </Stack>
    </>
  )
}

function ChooseFile(props: { is_checked: boolean; checked(chosen: Chosen): void; changed(): void }) {
  const { is_checked, checked, changed } = props
  const [file, setFile] = useState<File | null>(null)
  const [sheet, setSheet] = useState('')
  const check = useMutation({
    mutationFn: async (given: File) => {
      const content = await readBase64(given, t('bulk.upload.unreadable'))
      const body = { file_name: given.name, content, sheet: sheet || undefined }
      try {
        return { body, checked: await api.post<CheckedContacts>(`${PATH}/check`, body) }
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 413)) throw error
        throw new ApiError(413, t('bulk.upload.too_large'))
      }
    },
  })
  const refusal = check.error instanceof ApiError ? check.error.fields.file : undefined
  const sheets = useSheets(check.error, file)
  const choose = (given: File | null, chosen: string) => {
    setFile(given)
    setSheet(chosen)
    check.reset()
    changed()
  }
  return (
    <Panel title={t('bulk.file')}>
      <TemplateLinks path={PATH}>{t('contacts.import.columns')}</TemplateLinks>
      <FileField value={file} error={refusal?.join(' ')} change={(given) => choose(given, '')} />
      <SheetField sheets={sheets} value={sheet} change={(chosen) => choose(file, chosen)} />
      {!refusal && sheets.length === 0 && <Problem error={check.error} />}
      <CheckButton
        is_checked={is_checked}
        is_ready={file !== null}
        is_busy={check.isPending}
        check={() => file && check.mutate(file, { onSuccess: checked })}
      >
        {t('contacts.import.check')}
      </CheckButton>
    </Panel>
  )
}

/** Rows of a checked file, the rule for existing contacts, and the button that imports it. */
function Preview({ chosen, done }: { chosen: Chosen; done(result: ContactImport): void }) {
  const { rows, refused, ignored_columns, notes, same_file } = chosen.checked
  const [known, setKnown] = useState<'skip' | 'update'>('skip')
  const key = useRef<Partial<Record<typeof known, string>>>({})
  const client = useQueryClient()
  const importing = useMutation({
    // The same key for the same import: a lost answer or an interruption is repaired by pressing again.
    mutationFn: () => {
      key.current[known] ??= newDuplicateKey()
      return api.postOnce<ContactImport>(PATH, { ...chosen.body, known }, key.current[known])
    },
    onSuccess: (result) => {
      client.invalidateQueries({ queryKey: ['/contacts'] })
      client.invalidateQueries({ queryKey: [PATH] })
      if (result) done(result)
    },
  })
  const importable = rows.filter(({ state }) => state !== 'refused').length
  return (
    <>
      {same_file.map(({ id, created, author_name: name, added, updated }) => (
        <Alert key={id} color="yellow" title={t('bulk.same_file')}>
          {t('contacts.import.same_file_about', {
            name,
            time: formatTime(created),
            added: formatCount(added),
            updated: formatCount(updated),
          })}
        </Alert>
      ))}
      <FileNotes notes={notes} />
      {ignored_columns.length > 0 && (
        <Alert color="blue" title={t('bulk.ignored')}>
          {ignored_columns.join(', ')}
        </Alert>
      )}
      <Panel title={t('contacts.import.result_title')}>
        <Counts rows={rows} />
        {rows.some(({ state }) => state === 'known') && (
          <Radio.Group
            label={t('contacts.import.known')}
            value={known}
            onChange={(value) => setKnown(value === 'update' ? 'update' : 'skip')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="skip" label={t('contacts.import.skip')} />
              <Radio
                value="update"
                label={t('contacts.import.update')}
                description={t('contacts.import.update_about')}
              />
            </Stack>
          </Radio.Group>
        )}
        <Problem error={importing.error} />
        <Group>
          {importable > 0 ? (
            <Button loading={importing.isPending} onClick={() => importing.mutate()}>
              {t('contacts.import.submit', { count: importable })}
            </Button>
          ) : (
            <Text fz="sm">{t('contacts.import.none')}</Text>
          )}
          <RefusedMenu what={t('shell.nav.contacts')} read={refused} />
        </Group>
      </Panel>
      <ImportRows rows={rows} />
    </>
  )
}

const states = ['new', 'unnamed', 'unnumbered', 'known', 'refused'] as const

function Counts({ rows }: { rows: CheckedContacts['rows'] }) {
  return (
    <dl className="facts">
      {states.map((state) => (
        <div key={state}>
          <dt>{t(`contacts.import.states.${state}`)}</dt>
          <dd>{formatCount(rows.filter((row) => row.state === state).length)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Result(props: { result: ContactImport; refused: CheckedContacts['refused']; startAnew(): void }) {
  const { result, refused, startAnew } = props
  return (
    <Panel title={t('contacts.import.done')}>
      <Text role="status">{describe(result)}</Text>
      {result.added > 0 && <Text fz="sm">{t('contacts.import.lookups')}</Text>}
      <Group>
        <Button component={Link} to="/contacts">
          {t('shell.nav.contacts')}
        </Button>
        <RefusedMenu what={t('shell.nav.contacts')} read={refused} />
        <Anchor component="button" type="button" fz="sm" underline="always" onClick={startAnew}>
          {t('contacts.import.another')}
        </Anchor>
      </Group>
    </Panel>
  )
}

function describe({ added, updated, unchanged, refused }: ContactImport): string {
  return t('contacts.import.result', {
    added: formatCount(added),
    updated: formatCount(updated),
    unchanged: formatCount(unchanged),
    refused: formatCount(refused),
  })
}

const EARLIER = 10

/** The files that were imported, the newest first, with the refused rows that are kept. */
function Earlier() {
  const [page, setPage] = useState(1)
  const query = { limit: EARLIER, offset: (page - 1) * EARLIER }
  const { data } = useQuery({
    queryKey: [PATH, query],
    queryFn: () => api.get<List<ContactImport>>(PATH, query),
    placeholderData: keepPreviousData,
  })
  if (!data || data.count === 0) return null
  return (
    <Panel title={t('contacts.import.earlier')}>
      <DataTable
        title={t('contacts.import.earlier')}
        rows={data.results}
        keyOf={({ id }) => id}
        columns={[
          { title: t('bulk.file'), value: ({ file_name }) => <span className="any-break">{file_name}</span> },
          { title: t('fields.created'), value: ({ created }) => <Time at={created} /> },
          { title: t('bulk.by'), value: ({ author_name }) => author_name },
          {
            title: t('contacts.import.result_title'),
            value: (row) => (
              <Stack gap="xs" align="flex-start">
                {row.finished ? describe(row) : t('contacts.import.interrupted')}
                <KeptRefusedButton {...row} />
              </Stack>
            ),
          },
        ]}
      />
      <PageChoice count={data.count} size={EARLIER} page={page} choose={setPage} />
    </Panel>
  )
}
