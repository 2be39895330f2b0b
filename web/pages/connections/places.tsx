import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { changeMessage, notifyChange } from '../../parts/pending-change.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { ConsoleConnectionDetail, Wallet } from '../../wire.ts'
import { countryName } from './names.ts'

type Place = ConsoleConnectionDetail['places'][number]

/** Which wallets use a connection, and under which number; with forms to change it for an own connection. */
export function Places({ connection }: { connection: ConsoleConnectionDetail }) {
  const { slug, places, own, serves_all } = connection
  const client = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['/accounts', 'all'],
    queryFn: () => api.get<List<Wallet>>('/accounts', { limit: 100, ordering: 'id' }),
  })
  const wallets = data?.results ?? []
  const nameOf = (account: number) => wallets.find(({ id }) => id === account)?.name ?? `Wallet ${account}`
  const free = wallets.filter(({ id }) => !places.some(({ account }) => account === id))
  if (serves_all) return <Text fz="sm">Every wallet uses it.</Text>
  return (
    <Stack>
      <Problem error={error} />
      {places.length === 0 && <Text fz="sm">No wallet uses it yet, so it carries no money.</Text>}
      {places.map((place) => (
        <Group key={place.account} justify="space-between">
          <Stack gap={2} flex={1} miw={200}>
            <Text fz="sm" fw={600} className="any-break">
              {nameOf(place.account)} ({place.currency}) under {place.number}
            </Text>
            <Text fz="sm">{describeUse(place)}</Text>
          </Stack>
          {own && (
            <Group gap="xs">
              <PlaceForm connection={connection} wallets={wallets} place={place} />
              <Confirm
                button="Take away"
                title={`Stop using ${slug} for this wallet?`}
                act={async () =>
                  notifyChange(
                    await api.delete(`/connections/${slug}/places/${place.account}`),
                    'The wallet no longer uses it.',
                  )
                }
                done={() => client.invalidateQueries({ queryKey: ['/connections'] })}
              >
                {nameOf(place.account)} collects and pays out nothing over this connection any more.
              </Confirm>
            </Group>
          )}
        </Group>
      ))}
      {own && free.length > 0 && (
        <Group>
          <PlaceForm connection={connection} wallets={free} />
        </Group>
      )}
      {own && data && wallets.length === 0 && (
        <Text fz="sm">Your organization has no wallet yet. The operator of the service creates one.</Text>
      )}
    </Stack>
  )
}

function describeUse({ collects, pays_out, unrequested, country }: Place): string {
  const uses = [
    collects && 'collects',
    pays_out && 'pays out',
    unrequested && 'gets money that nobody was asked for',
  ].filter((use) => use !== false)
  const where = country === null ? '' : `, in ${countryName(country)}`
  return uses.length === 0 ? 'Not in use' : capitalized(uses.join(', ')) + where
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface PlaceFormProps {
  connection: ConsoleConnectionDetail
  wallets: readonly Wallet[]
  /** The place to change; without it, one is added. */
  place?: Place
}

function PlaceForm({ connection: { slug, network, countries }, wallets, place }: PlaceFormProps) {
  const only = wallets.length === 1 ? String(wallets[0]!.id) : ''
  return (
    <FormDialog
      button={place ? 'Change' : 'Add a wallet'}
      title={place ? 'Change how the wallet uses it' : 'Let a wallet use this connection'}
      submit={place ? 'Change' : 'Add'}
      look={{ variant: place ? 'default' : 'filled', size: place ? 'xs' : 'sm' }}
      initial={{
        account: place ? String(place.account) : only,
        number: place?.number ?? '',
        country: place?.country ?? '',
        collects: place?.collects ?? true,
        pays_out: place?.pays_out ?? true,
        unrequested: place?.unrequested ?? true,
      }}
      send={({ account, ...values }) => api.put(`/connections/${slug}/places/${account || 'none'}`, values)}
      done={(answer) => changeMessage(answer, 'The wallet uses the connection.')}
      fields={(form) => (
        <>
          <Select
            label="Wallet"
            description="Money that comes over this connection goes into it."
            data={wallets.map(({ id, name, currency }) => ({ value: String(id), label: `${name} (${currency})` }))}
            allowDeselect={false}
            disabled={place !== undefined}
            required
            {...form.getInputProps('account')}
          />
          <TextInput
            label="Your number"
            description={`Your till, short code or merchant number at ${network}.`}
            required
            autoComplete="off"
            {...form.getInputProps('number')}
          />
          {countries.length > 1 && (
            <Select
              label="Country"
              description="The country that the number serves. Left empty: all countries of the connection."
              data={countries.map((code) => ({ value: code, label: countryName(code) }))}
              clearable
              clearButtonProps={{ 'aria-label': 'Choose no country' }}
              {...form.getInputProps('country')}
            />
          )}
          <Checkbox label="Collects money" {...form.getInputProps('collects', { type: 'checkbox' })} />
          <Checkbox label="Pays money out" {...form.getInputProps('pays_out', { type: 'checkbox' })} />
          <Checkbox
            label="Gets money that no request asked for"
            description="What customers send to your number by themselves. One wallet gets it for each number."
            {...form.getInputProps('unrequested', { type: 'checkbox' })}
          />
        </>
      )}
    />
  )
}
