import { Group, Select, SimpleGrid, Table, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatCount, formatMoney, formatWord } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { SmsSettings } from '../../wire.ts'

type Route = SmsSettings['routes'][number]

/** What the month cost so far, and the routes. */
export function SmsOverview() {
  const { data } = useQuery({
    queryKey: ['/settings/sms'],
    queryFn: () => api.get<SmsSettings>('/settings/sms'),
    refetchInterval: 10_000,
  })
  if (!data) return null
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Usage settings={data} />
      <Routes settings={data} />
    </SimpleGrid>
  )
}

function Usage({ settings: { months, monthly_parts, stop_covers_receipts } }: { settings: SmsSettings }) {
  return (
    <Panel title="By month" about="Months are those of UTC. A long text takes several parts.">
      {months.length === 0 ? (
        <Text fz="sm">Nothing was sent.</Text>
      ) : (
        <Table verticalSpacing="xs" aria-label="SMS by month">
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
      )}
      <Text fz="xs" c="dimmed">
        {monthly_parts === null
          ? 'There is no limit.'
          : `At most ${formatCount(monthly_parts)} parts are sent in a month.`}{' '}
        {stop_covers_receipts && 'STOP also ends confirmations of payments.'}
      </Text>
    </Panel>
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
