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
import { formatCount, formatMoney, formatWord } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { SmsSettings } from '../../wire.ts'
import { smsSettingsQuery } from './query.ts'
import { Senders } from './senders.tsx'

type Route = SmsSettings['routes'][number]

/** Where SMS go, what the month cost so far, its limit, sender ids and routes. */
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

/** Where SMS go where no route says it. */
function Way({ settings: { way, connections, routes } }: { settings: SmsSettings }) {
  const { kind, connections: over } = way
  if (routes.length > 0 && kind !== 'nowhere') return null
  if (kind === 'kept')
    return (
      <Alert color="gray" title="SMS are not sent">
        The sandbox keeps them, and the page{' '}
        <Anchor component={Link} to="/phone" inherit underline="always">
          Phone
        </Anchor>{' '}
        shows them. {connections.length > 0 && 'An SMS provider that is connected sends them.'}
      </Alert>
    )
  if (kind === 'nowhere')
    return (
      <Alert color="orange" title="No SMS reaches a customer">
        No SMS provider is connected. Connect one on the page Connections.
      </Alert>
    )
  return (
    <Text fz="sm">
      SMS go over {over.join(', ')}
      {kind === 'settings' && ', the SMS provider of the settings of the service'}.
    </Text>
  )
}

function Usage({ settings }: { settings: SmsSettings }) {
  const { months, monthly_parts, parts_this_month, stop_covers_receipts, may_manage } = settings
  return (
    <Panel
      title="By month"
      about="Months are those of UTC. A long text takes several parts."
      actions={may_manage && <LimitForm settings={settings} />}
    >
      <Text fz="sm">
        {monthly_parts === null
          ? `${formatCount(parts_this_month)} parts were sent this month. There is no limit.`
          : `${formatCount(parts_this_month)} of ${formatCount(monthly_parts)} parts of this month were sent. Beyond the limit none is sent.`}
      </Text>
      {monthly_parts !== null && (
        <Progress
          value={monthly_parts === 0 ? 100 : Math.min(100, (parts_this_month / monthly_parts) * 100)}
          color={parts_this_month >= monthly_parts * NEARLY_ALL ? 'orange' : undefined}
          aria-label="Share of the limit of this month"
        />
      )}
      {months.length > 0 && <Months months={months} />}
      <Text fz="sm">
        {stop_covers_receipts
          ? 'STOP also ends confirmations of payments.'
          : 'STOP ends the SMS that people write, and no confirmations of payments.'}
      </Text>
      <Group gap="md" fz="sm">
        <Anchor component={Link} to="/sms/opt-outs" inherit underline="always">
          Opt-outs
        </Anchor>
        <Anchor component={Link} to="/sms/rules" inherit underline="always">
          Rules of countries
        </Anchor>
      </Group>
    </Panel>
  )
}

/** The part of a limit from which it is shown as nearly used up. */
const NEARLY_ALL = 0.9

function Months({ months }: Pick<SmsSettings, 'months'>) {
  return (
    <Table.ScrollContainer type="native" minWidth={260} tabIndex={0} role="region" aria-label="SMS by month">
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Month</Table.Th>
            <Table.Th ta="right">SMS</Table.Th>
            <Table.Th ta="right">Parts</Table.Th>
            <Table.Th ta="right">Cost</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.map(({ month, messages, parts, costs }) => (
            <Table.Tr key={month}>
              <Table.Td>{month}</Table.Td>
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
      button={editable ? 'Set a limit' : 'Change STOP'}
      title={editable ? 'Limit the SMS of a month' : 'Which SMS STOP ends'}
      submit="Save"
      look={{ variant: 'default', size: 'xs' }}
      initial={{ monthly_parts: monthly_parts === null ? '' : String(monthly_parts), stop_covers_receipts }}
      send={({ monthly_parts: parts, ...values }) =>
        api.put('/settings/sms/limit', editable ? { ...values, monthly_parts: parts } : values)
      }
      done="It counts from now on."
      fields={(form) => (
        <>
          {editable && (
            <TextInput
              label="Parts in a month"
              description="Empty: no limit. All SMS count, also instructions and confirmations."
              inputMode="numeric"
              data-autofocus
              {...form.getInputProps('monthly_parts')}
            />
          )}
          <Switch
            label="STOP also ends confirmations of payments"
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
      title="Routes"
      about="Which connections carry your SMS. What the first one does not deliver goes over the second one, once."
      actions={editable && connections.length > 0 && <RouteForm connections={connections} />}
    >
      {routes.length === 0 ? (
        <Text fz="sm">There are none: all SMS connections serve, in the order of their priorities.</Text>
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
  const what = purpose ? formatWord(purpose) : 'All SMS'
  const cost = price === null ? '' : `, ${formatMoney(price, currency ?? '')} for a part`
  const as = sender_id === null ? '' : ` as ${sender_id}`
  return `${what} to ${country ?? 'all countries'} over ${connection}${as}, priority ${priority}${cost}`
}

function RemoveRoute({ route }: { route: Route }) {
  const client = useQueryClient()
  return (
    <Confirm
      button="Remove"
      title="Remove this route?"
      act={() => api.delete(`/settings/sms/routes/${route.id}`)}
      done={() => client.invalidateQueries({ queryKey: ['/settings/sms'] })}
    >
      {describeRoute(route)}. SMS that are on their way stay on it.
    </Confirm>
  )
}

const purposes = ['instructions', 'reminder', 'payment_link', 'success', 'goods', 'message', 'reply']

function RouteForm({ connections }: { connections: string[] }) {
  return (
    <FormDialog
      button="Set a route"
      title="Send SMS over a connection"
      submit="Set"
      look={{ variant: 'default', size: 'xs' }}
      initial={{
        ...{ connection: connections[0] ?? '', country: '', purpose: '', sender_id: '' },
        ...{ priority: '100', price: '', currency: '' },
      }}
      send={(values) => api.put('/settings/sms/routes', values)}
      done="New SMS take this route."
      fields={(form) => (
        <>
          <Select
            label="Over"
            data={connections}
            allowDeselect={false}
            data-autofocus
            {...form.getInputProps('connection')}
          />
          <Group grow align="flex-start">
            <TextInput label="Country" description="Such as UG. Empty: all." {...form.getInputProps('country')} />
            <Select
              label="Purpose"
              description="Empty: all."
              data={purposes.map((value) => ({ value, label: formatWord(value) }))}
              clearable
              {...form.getInputProps('purpose')}
            />
          </Group>
          <Group grow align="flex-start">
            <TextInput
              label="Sender id"
              description="What phones show. Empty: that of the organization."
              {...form.getInputProps('sender_id')}
            />
            <TextInput
              label="Priority"
              description="The smallest is preferred."
              inputMode="numeric"
              {...form.getInputProps('priority')}
            />
          </Group>
          <Group grow align="flex-start">
            <TextInput label="Price of a part" inputMode="decimal" {...form.getInputProps('price')} />
            <TextInput label="Its currency" {...form.getInputProps('currency')} />
          </Group>
        </>
      )}
    />
  )
}
