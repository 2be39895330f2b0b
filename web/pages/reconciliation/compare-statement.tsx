import { Anchor, Checkbox, FileInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { readBase64 } from '../../parts/files/save-file.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useGoOn } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
import type { ReconciliationRun } from '../../wire.ts'

const columns = ['remote_id', 'amount', 'paid_at', 'status', 'fee'] as const

const initial = {
  connection: '',
  file: null as File | null,
  from: '',
  to: '',
  sent: false,
  time_zone: '',
  dates: '',
  sheet: '',
  columns: { remote_id: '', amount: '', paid_at: '', status: '', fee: '' },
}
type Values = typeof initial

interface Choice {
  slug: string
  name: string
  simulated: boolean
}

/** A button for the form that compares a statement with the ledger. */
export function CompareStatement() {
  const goOn = useGoOn()
  const { data } = useQuery({
    queryKey: ['/reconciliations/connections'],
    queryFn: () => api.get<{ results: Choice[] }>('/reconciliations/connections'),
  })
  const connections = data?.results ?? []
  return (
    <FormDialog<Values, ReconciliationRun>
      button={t('reconciliation.new')}
      title={t('reconciliation.new')}
      submit={t('reconciliation.compare')}
      initial={{ ...initial, connection: connections.length === 1 ? connections[0]!.slug : '' }}
      send={async (values) => {
        const run = await send(values)
        goOn(`/reconciliation/${run.id}`)
        return run
      }}
      done={({ differences }) => t('reconciliation.compared', { differences: formatCount(differences) })}
      fields={(form) => (
        <>
          <Select
            label={t('reconciliation.connection')}
            placeholder={t('fields.choose')}
            required
            data={connections.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` }))}
            {...form.getInputProps('connection')}
          />
          <SimulatedStatement connection={connections.find(({ slug }) => slug === form.values.connection)} />
          <FileInput
            label={t('reconciliation.file')}
            description={t('reconciliation.file_about')}
            placeholder={t('bulk.upload.choose')}
            accept=".csv,.txt,.tsv,.xlsx"
            clearable
            required
            {...form.getInputProps('file')}
          />
          <Part form={form} />
        </>
      )}
    />
  )
}

/** The statement of a simulated network, which has no portal from which to download it. */
function SimulatedStatement({ connection }: { connection: Choice | undefined }) {
  if (!connection?.simulated) return null
  return (
    <Text fz="sm">
      {t('reconciliation.simulated')}{' '}
      <Anchor
        href={`/console/api/reconciliations/connections/${connection.slug}/statement`}
        download
        underline="always"
        fz="sm"
      >
        {t('reconciliation.simulated_download')}
      </Anchor>
    </Text>
  )
}

/** Days, contents of the statement, and names of its columns. */
function Part({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <Stack gap={4}>
        <FieldRow>
          <TextInput type="date" label={t('fields.from')} {...form.getInputProps('from')} />
          <TextInput type="date" label={t('fields.until')} {...form.getInputProps('to')} />
        </FieldRow>
        <Text fz="xs" c="dimmed">
          {t('reconciliation.period_about')}
        </Text>
      </Stack>
      <FieldRow long>
        <TextInput
          label={t('reconciliation.zone')}
          description={t('reconciliation.zone_about')}
          {...form.getInputProps('time_zone')}
        />
        <Select
          label={t('reconciliation.dates')}
          description={t('reconciliation.dates_about')}
          clearable
          data={(['day', 'month'] as const).map((order) => ({
            value: order,
            label: t(`reconciliation.first.${order}`),
          }))}
          {...form.getInputProps('dates')}
          value={form.values.dates || null}
          onChange={(dates) => form.setFieldValue('dates', dates ?? '')}
        />
      </FieldRow>
      <TextInput
        label={t('reconciliation.sheet')}
        description={t('reconciliation.sheet_about')}
        {...form.getInputProps('sheet')}
      />
      <Checkbox label={t('reconciliation.sent')} {...form.getInputProps('sent', { type: 'checkbox' })} />
      <div>
        <Text fz="sm" fw={600}>
          {t('reconciliation.columns')}
        </Text>
        <Text fz="xs" c="dimmed">
          {t('reconciliation.columns_about')}
        </Text>
      </div>
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="md" verticalSpacing="sm" style={{ alignItems: 'end' }}>
        {columns.map((column) => (
          <TextInput
            key={column}
            label={t(`reconciliation.column.${column}`)}
            {...form.getInputProps(`columns.${column}`)}
          />
        ))}
      </SimpleGrid>
    </>
  )
}

async function send({
  file,
  from,
  to,
  columns: names,
  time_zone,
  dates,
  sheet,
  ...values
}: Values): Promise<ReconciliationRun> {
  return api.post('/reconciliations', {
    ...values,
    ...(from && { from }),
    ...(to && { to }),
    ...(time_zone && { time_zone }),
    ...(dates && { dates }),
    ...(sheet && { sheet }),
    columns: Object.fromEntries(Object.entries(names).filter(([, name]) => name !== '')),
    ...(file && {
      file: { name: file.name, content: await readBase64(file, t('reconciliation.file_unreadable')) },
    }),
  })
}
