import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { countryName } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { changeMessage, notifyChange } from '../../parts/pending-change.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { ConsoleConnectionDetail, Wallet } from '../../wire.ts'
import { useWallets } from '../wallets/wallet-link.tsx'

type Place = ConsoleConnectionDetail['places'][number]

/** Wallets that use a connection, and their numbers; with forms to change them for an own connection. */
export function Places({ connection }: { connection: ConsoleConnectionDetail }) {
  const { slug, places, own, serves_all } = connection
  const client = useQueryClient()
  const { data, error } = useWallets()
  const wallets = data?.results ?? []
  const nameOf = (account: number) =>
    wallets.find(({ id }) => id === account)?.name ?? t('connections.places.unnamed', { id: account })
  const free = wallets.filter(({ id }) => !places.some(({ account }) => account === id))
  if (serves_all) return <Text fz="sm">{t('connections.places.every')}</Text>
  return (
    <Stack>
      <Problem error={error} />
      {places.length === 0 && <Text fz="sm">{t('connections.places.none')}</Text>}
      {places.map((place) => (
        <Group key={place.account} justify="space-between">
          <Stack gap={2} flex={1} miw={200}>
            <Text fz="sm" fw={600} className="any-break">
              {t('connections.places.place', {
                wallet: nameOf(place.account),
                currency: place.currency,
                number: place.number,
              })}
            </Text>
            <Text fz="sm">{describeUse(place)}</Text>
          </Stack>
          {own && (
            <Group gap="xs">
              <PlaceForm connection={connection} wallets={wallets} place={place} />
              <Confirm
                button={t('connections.places.remove')}
                title={t('connections.places.remove_title', { slug })}
                act={async () =>
                  notifyChange(
                    await api.delete(`/connections/${slug}/places/${place.account}`),
                    t('connections.places.removed'),
                  )
                }
                done={() => client.invalidateQueries({ queryKey: ['/connections'] })}
              >
                {t('connections.places.remove_text', { wallet: nameOf(place.account) })}
              </Confirm>
            </Group>
          )}
        </Group>
      ))}
      {own && free.length > 0 && (
        <Group>
          <PlaceForm connection={connection} wallets={free} look={places.length === 0 ? 'filled' : 'default'} />
        </Group>
      )}
      {own && data && wallets.length === 0 && <Text fz="sm">{t('connections.places.no_wallets')}</Text>}
    </Stack>
  )
}

function describeUse({ collects, pays_out, unrequested, country }: Place): string {
  const uses = [
    collects && t('connections.places.collects'),
    pays_out && t('connections.places.pays_out'),
    unrequested && t('connections.places.unrequested'),
  ].filter((use) => use !== false)
  if (uses.length === 0) return t('connections.places.not_in_use')
  const text = uses.join(', ')
  return country === null ? text : t('connections.places.uses_in', { uses: text, country: countryName(country) })
}

interface PlaceFormProps {
  connection: ConsoleConnectionDetail
  wallets: readonly Wallet[]
  /** The place to change; without it, one is added. */
  place?: Place
  /** Look of the button: filled where it is what a person does next. */
  look?: 'filled' | 'default'
}

function PlaceForm({ connection, wallets, place, look = 'default' }: PlaceFormProps) {
  const { slug, network, countries } = connection
  const only = wallets.length === 1 ? String(wallets[0]!.id) : ''
  return (
    <FormDialog
      button={t(place ? 'connections.places.change' : 'connections.places.add')}
      title={t(place ? 'connections.places.change_title' : 'connections.places.add_title')}
      submit={t(place ? 'connections.places.change' : 'connections.places.add_submit')}
      look={{ variant: look, size: place ? 'xs' : 'sm' }}
      initial={{
        account: place ? String(place.account) : only,
        number: place?.number ?? '',
        country: place?.country ?? '',
        collects: place?.collects ?? true,
        pays_out: place?.pays_out ?? true,
        unrequested: place?.unrequested ?? true,
      }}
      send={({ account, ...values }) => api.put(`/connections/${slug}/places/${account || 'none'}`, values)}
      done={(answer) => changeMessage(answer, t('connections.places.done'))}
      fields={(form) => (
        <>
          <Select
            label={t('connections.places.wallet')}
            description={t('connections.places.wallet_about')}
            data={wallets.map(({ id, name, currency }) => ({
              value: String(id),
              label: t('connections.places.wallet_option', { name, currency }),
            }))}
            allowDeselect={false}
            disabled={place !== undefined}
            required
            {...form.getInputProps('account')}
          />
          <TextInput
            label={t('connections.places.number')}
            description={t('connections.places.number_about', { network })}
            required
            autoComplete="off"
            {...form.getInputProps('number')}
          />
          {countries.length > 1 && (
            <Select
              label={t('fields.country')}
              description={t('connections.places.country_about')}
              data={countries.map((code) => ({ value: code, label: countryName(code) }))}
              clearable
              clearButtonProps={{ 'aria-label': t('connections.places.no_country') }}
              {...form.getInputProps('country')}
            />
          )}
          <Checkbox
            label={t('connections.places.collects')}
            {...form.getInputProps('collects', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('connections.places.pays_out')}
            {...form.getInputProps('pays_out', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('connections.places.unrequested')}
            description={t('connections.places.unrequested_about')}
            {...form.getInputProps('unrequested', { type: 'checkbox' })}
          />
        </>
      )}
    />
  )
}
