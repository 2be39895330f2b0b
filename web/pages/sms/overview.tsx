import {
  Alert,
  Anchor,
  Group,
  Progress,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
} from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatCount, formatMoney, formatMonth } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { SmsSettings } from '../../wire.ts'
import { formatPurpose, purposes } from './purposes.ts'
import { smsSettingsQuery } from './query.ts'
import { Senders } from './senders.tsx'

type Route = SmsSettings['routes'][number]

/** Delivery path of SMS, the month's costs and limit, sender ids and routes. */
export function SmsOverview() {
  const { data } = useQuery(smsSettingsQuery)
  if (!data) return null
  return (
    <>
      <Way settings={data} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Usage settings={data} />
        <Stack>
          <Senders settings={data} />
          <Routes settings={data} />
        </Stack>
      </SimpleGrid>
    </>
  )
}

/** Delivery path of SMS without a route. */
function Way({ settings: { way, connections, routes } }: { settings: SmsSettings }) {
  const { kind, connections: over } = way
  if (routes.length > 0 && kind !== 'nowhere') return null
  if (kind === 'kept')
    return (
      <Alert color="gray" title={t('sms.way.kept')}>
        <Trans
          i18nKey="sms.way.kept_text"
          components={{ a: <Anchor component={Link} to="/phone" inherit underline="always" /> }}
        />
        {connections.length > 0 && <div>{t('sms.way.kept_connected')}</div>}
      </Alert>
    )
  if (kind === 'nowhere')
    return (
      <Alert color="orange" title={t('sms.way.nowhere')}>
        {t('sms.way.nowhere_text')}
      </Alert>
    )
  return (
    <Text fz="sm">
      {t(kind === 'settings' ? 'sms.way.over_settings' : 'sms.way.over', { connections: over.join(', ') })}
    </Text>
  )
}

function Usage({ settings }: { settings: SmsSettings }) {
  const { months, monthly_parts, parts_this_month, stop_covers_receipts, may_manage } = settings
  return (
    <Panel
      title={t('sms.usage.title')}
      about={t('sms.usage.about')}
      actions={may_manage && <LimitForm settings={settings} />}
    >
      <Text fz="sm">
        {monthly_parts === null
          ? t('sms.usage.no_limit', { count: parts_this_month, parts: formatCount(parts_this_month) })
          : t('sms.usage.of_limit', { parts: formatCount(parts_this_month), limit: formatCount(monthly_parts) })}
      </Text>
      {monthly_parts !== null && (
        <Progress
          value={monthly_parts === 0 ? 100 : Math.min(100, (parts_this_month / monthly_parts) * 100)}
          color={parts_this_month >= monthly_parts * NEARLY_ALL ? 'orange' : undefined}
          aria-label={t('sms.usage.share')}
        />
      )}
      {months.length > 0 && <Months months={months} />}
      <Text fz="sm">{t(stop_covers_receipts ? 'sms.usage.stop_all' : 'sms.usage.stop_own')}</Text>
      <Group gap="md" fz="sm">
        <Anchor component={Link} to="/sms/opt-outs" inherit underline="always">
          {t('sms.opt_outs.title')}
        </Anchor>
        <Anchor component={Link} to="/sms/rules" inherit underline="always">
          {t('sms.rules.title')}
        </Anchor>
      </Group>
    </Panel>
  )
}

/** The part of a limit from which it is shown as nearly used up. */
const NEARLY_ALL = 0.9

function Months({ months }: Pick<SmsSettings, 'months'>) {
  return (
    <Table.ScrollContainer type="native" minWidth={260} tabIndex={0} role="region" aria-label={t('sms.usage.table')}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('sms.usage.month')}</Table.Th>
            <Table.Th ta="right">{t('shell.nav.sms')}</Table.Th>
            <Table.Th ta="right">{t('sms.parts')}</Table.Th>
            <Table.Th ta="right">{t('sms.cost')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.map(({ month, messages, parts, costs }) => (
            <Table.Tr key={month}>
              <Table.Td>{formatMonth(month)}</Table.Td>
              <Table.Td ta="right">{formatCount(messages)}</Table.Td>
              <Table.Td ta="right">{formatCount(parts)}</Table.Td>
              <Table.Td ta="right">
                {costs.length === 0
                  ? '—'
                  : costs.map(({ connection, currency, cost }) => (
                      <div key={`${connection} ${currency}`}>{formatMoney(cost, currency)}</div>
                    ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** The limit is the operator's; which SMS STOP ends is for the managers of each organization. */
function LimitForm({ settings: { monthly_parts, stop_covers_receipts, editable } }: { settings: SmsSettings }) {
  return (
    <FormDialog
      button={t(editable ? 'sms.usage.set_limit' : 'sms.usage.change_stop')}
      title={t(editable ? 'sms.usage.limit_title' : 'sms.usage.stop_title')}
      submit={t('fields.save')}
      look={{ variant: 'default', size: 'xs' }}
      initial={{ monthly_parts: monthly_parts === null ? '' : String(monthly_parts), stop_covers_receipts }}
      send={({ monthly_parts: parts, ...values }) =>
        api.put('/settings/sms/limit', editable ? { ...values, monthly_parts: parts } : values)
      }
      done={t('sms.applies')}
      fields={(form) => (
        <>
          {editable && (
            <TextInput
              label={t('sms.usage.limit')}
              description={t('sms.usage.limit_about')}
              inputMode="numeric"
              data-autofocus
              {...form.getInputProps('monthly_parts')}
            />
          )}
          <Switch
            label={t('sms.usage.stop_switch')}
            {...form.getInputProps('stop_covers_receipts', { type: 'checkbox' })}
          />
        </>
      )}
    />
  )
}

function Routes({ settings: { routes, connections, editable } }: { settings: SmsSettings }) {
  return (
    <Panel
      title={t('sms.routes.title')}
      about={t('sms.routes.about')}
      actions={editable && connections.length > 0 && <RouteForm connections={connections} />}
    >
      {routes.length === 0 ? (
        <Text fz="sm">{t('sms.routes.none')}</Text>
      ) : (
        routes.map((route) => (
          <Group key={route.id} justify="space-between" wrap="nowrap">
            <Text fz="sm">{describeRoute(route)}</Text>
            {editable && <RemoveRoute route={route} />}
          </Group>
        ))
      )}
    </Panel>
  )
}

function describeRoute({ country, purpose, connection, sender_id, priority, price, currency }: Route): string {
  const values = {
    purpose: purpose ? formatPurpose(purpose) : t('sms.routes.all_sms'),
    country: country ?? t('sms.all_countries'),
    connection: sender_id === null ? connection : t('sms.routes.connection_as', { connection, sender_id }),
    priority,
  }
  if (price === null) return t('sms.routes.line', values)
  return t('sms.routes.line_price', { ...values, price: formatMoney(price, currency ?? '') })
}

function RemoveRoute({ route }: { route: Route }) {
  const client = useQueryClient()
  return (
    <Confirm
      button={t('fields.remove')}
      title={t('sms.routes.remove_title')}
      act={() => api.delete(`/settings/sms/routes/${route.id}`)}
      done={() => client.invalidateQueries({ queryKey: ['/settings/sms'] })}
    >
      {t('sms.routes.remove_text', { route: describeRoute(route) })}
    </Confirm>
  )
}

function RouteForm({ connections }: { connections: string[] }) {
  return (
    <FormDialog
      button={t('sms.routes.set')}
      title={t('sms.routes.set')}
      submit={t('fields.save')}
      look={{ variant: 'default', size: 'xs' }}
      initial={{
        connection: connections[0] ?? '',
        country: '',
        purpose: '',
        sender_id: '',
        priority: '100',
        price: '',
        currency: '',
      }}
      send={(values) => api.put('/settings/sms/routes', values)}
      done={t('sms.routes.done')}
      fields={(form) => (
        <>
          <Select
            label={t('sms.routes.connection')}
            data={connections}
            allowDeselect={false}
            data-autofocus
            {...form.getInputProps('connection')}
          />
          <FieldRow>
            <TextInput
              label={t('fields.country')}
              description={t('fields.country_about')}
              {...form.getInputProps('country')}
            />
            <Select
              label={t('fields.purpose')}
              description={t('sms.routes.purpose_about')}
              data={purposes.map((value) => ({ value, label: formatPurpose(value) }))}
              clearable
              {...form.getInputProps('purpose')}
              value={form.values.purpose || null}
            />
          </FieldRow>
          <FieldRow>
            <TextInput
              label={t('sms.senders.id')}
              description={t('sms.routes.sender_about')}
              {...form.getInputProps('sender_id')}
            />
            <TextInput
              label={t('sms.routes.priority')}
              description={t('sms.routes.priority_about')}
              inputMode="numeric"
              {...form.getInputProps('priority')}
            />
          </FieldRow>
          <FieldRow>
            <AmountInput label={t('sms.routes.price')} {...form.getInputProps('price')} />
            <TextInput label={t('sms.routes.price_currency')} {...form.getInputProps('currency')} />
          </FieldRow>
        </>
      )}
    />
  )
}
