import { Alert, Button, Modal, Select, Stack, Switch, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { formatMoney } from '../format.ts'
import { AmountInput } from '../parts/fields/amount-input.tsx'
import { FieldRow } from '../parts/fields/field-row.tsx'
import { useCurrencies } from '../parts/fields/use-currencies.ts'
import { FormButtons } from '../parts/form-dialog.tsx'
import { type Done, notifyDone } from '../parts/notify.tsx'
import { Problem } from '../parts/problem.tsx'
import { RepeatFields, type Repetition, settingsOf } from '../parts/repeat-fields.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { CollectionRequest, NetworksState } from '../wire.ts'

/** The person whom a form asks for money. */
interface Payer {
  phonenumber: string
  first_name: string
  last_name: string
}

/** Create a collection request. @param payer the person to pay, if the page knows the payer */
export function NewCollectionRequest({ payer, small = false }: { payer?: Payer; small?: boolean }) {
  const [opened, { open, close }] = useDisclosure()
  const networks = useNetworks()
  const look = small ? ({ variant: 'default', size: 'xs' } as const) : { leftSection: <IconPlus size={16} /> }
  return (
    <>
      <Button {...look} aria-haspopup="dialog" onClick={open}>
        {t('requests.new.button')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('requests.new.button')}>
        {networks === 'ready' ? <RequestForm close={close} payer={payer} /> : <NoNetwork state={networks} />}
      </Modal>
    </>
  )
}

/** Return the state of the networks. The sandbox has its own ones. */
function useNetworks(): NetworksState {
  const { mode } = useSession()
  const { data } = useQuery({
    queryKey: ['/networks/state'],
    queryFn: () => api.get<{ state: NetworksState }>('/networks/state'),
    enabled: mode === 'live',
  })
  return data?.state ?? 'ready'
}

/** Say in the place of the form that no network can carry a request, and where to change that. */
function NoNetwork({ state }: { state: Exclude<NetworksState, 'ready'> }) {
  const { may } = useSession()
  return (
    <Alert
      color="yellow"
      role="alert"
      title={t(
        state === 'none' ? 'connections.go_live.no_network.title' : 'connections.go_live.no_network.unused_title',
      )}
    >
      {t(state === 'none' ? 'connections.go_live.no_network.text' : 'connections.go_live.no_network.unused_text')}{' '}
      {may('manage_organization') ? (
        <Button
          component={Link}
          to={state === 'none' ? '/add-connection' : '/connections'}
          mt="sm"
          size="xs"
          variant="default"
          display="table"
        >
          {t(state === 'none' ? 'connections.add_button' : 'shell.nav.connections')}
        </Button>
      ) : (
        t('connections.go_live.no_network.manager')
      )}
    </Alert>
  )
}

/** @param made undefined if the form was sent before, and its answer was lost */
function describeMade(made: CollectionRequest | undefined): Done {
  if (!made) return t('requests.new.done_already')
  const amount = formatMoney(made.amount, made.currency)
  const message = t('requests.new.done', { amount, phonenumber: made.phonenumber })
  return { message, link: `/collectionrequests/${made.id}` }
}

function RequestForm({ close, payer }: { close(): void; payer?: Payer }) {
  const { mode } = useSession()
  const client = useQueryClient()
  const sandbox = mode === 'sandbox'
  const { currencies, current, remember } = useCurrencies()
  const [repetition, setRepetition] = useState<Repetition>({ frequency: '', until: '' })
  const form = useForm({
    initialValues: {
      phonenumber: sandbox ? '+80000000003' : '',
      amount: '',
      currency: current,
      first_name: '',
      last_name: '',
      reason: '',
      send_instructions: true,
      ...payer,
    },
  })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values, key) => send(values, repetition, key),
    (made) => {
      remember(form.values.currency)
      notifyDone(describeMade(made))
      for (const name of ['/collectionrequests', '/first-steps', 'contact-history'])
        client.invalidateQueries({ queryKey: [name] })
      close()
    },
  )
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label={t('fields.phone_number')}
          description={t(sandbox ? 'requests.new.sandbox_number' : 'fields.phone_number_about')}
          type="tel"
          required
          data-autofocus
          {...form.getInputProps('phonenumber')}
        />
        <FieldRow>
          <AmountInput
            label={t('fields.amount')}
            required
            currency={form.values.currency}
            {...form.getInputProps('amount')}
          />
          <Select
            label={t('fields.currency')}
            data={currencies}
            allowDeselect={false}
            {...form.getInputProps('currency')}
          />
        </FieldRow>
        <PersonAndReasonFields form={form} />
        <RepeatFields value={repetition} onChange={setRepetition} />
        <Problem error={error} />
        <FormButtons
          submit={t('requests.new.submit')}
          disabled={repetition.frequency !== '' && repetition.until === ''}
          pending={pending}
          close={close}
        />
      </Stack>
    </form>
  )
}

function send(values: Record<string, string | boolean>, repetition: Repetition, key: string) {
  const body = { ...withoutBlanks(values), subscription_settings: settingsOf(repetition) }
  return api.postOnce<CollectionRequest>('/collectionrequests', body, key)
}

/** The optional fields. */
function PersonAndReasonFields({ form }: { form: Pick<UseFormReturnType<object>, 'getInputProps'> }) {
  return (
    <>
      <FieldRow long>
        <TextInput label={t('fields.first_name')} {...form.getInputProps('first_name')} />
        <TextInput label={t('fields.last_name')} {...form.getInputProps('last_name')} />
      </FieldRow>
      <TextInput
        label={t('fields.reason')}
        description={t('requests.new.reason_about')}
        {...form.getInputProps('reason')}
      />
      <Switch
        label={t('requests.new.prompt')}
        description={t('requests.new.prompt_about')}
        {...form.getInputProps('send_instructions', { type: 'checkbox' })}
      />
    </>
  )
}

/** Remove empty fields, which are not set. */
function withoutBlanks(values: Record<string, string | boolean>): Record<string, string | boolean> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}
