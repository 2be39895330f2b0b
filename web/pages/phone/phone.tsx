import { Alert, Anchor, Autocomplete, Button, Flex, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, api } from '../../api.ts'
import { advanceClock } from '../../clock.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { RequestTimeline } from '../../parts/request-timeline.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useSession } from '../../session.tsx'
import type { CollectionRequest, Phone } from '../../wire.ts'
import { customers, WAITING_PHONE } from './customers.ts'
import { Handset, Messages } from './handset.tsx'
import { Prompt } from './prompt.tsx'
import { SendMoney } from './send-money.tsx'
import './phone.css'

/** A short interval, so that prompts and SMS appear at once. */
const POLL_MS = 1_000

/** A simulated phone of a sandbox customer, beside the history of the request. */
export default function PhonePage() {
  const { mode, may } = useSession()
  const { number = WAITING_PHONE }: { number?: string } = useSearch({ strict: false })
  if (mode === 'live')
    return <Alert title="Not here">Customers and their phones are simulated in the sandbox only.</Alert>
  return (
    <>
      <PageHead title="Phone" about="A customer of the sandbox. Ask for money, take the phone, and see what happens." />
      <Flex gap="xl" direction={{ base: 'column', lg: 'row' }} align={{ base: 'stretch', lg: 'flex-start' }}>
        <Screen key={number} number={number} />
        <Stack flex={1} miw={0}>
          <NumberField key={number} number={number} />
          {may('initiate_collections') && <AskPanel number={number} />}
          {may('manage_organization') && <NoAnswerPanel number={number} />}
          <TimelinePanel number={number} />
        </Stack>
      </Flex>
    </>
  )
}

function usePhone(number: string) {
  return useQuery({
    queryKey: ['phone', number],
    queryFn: () => api.get<Phone>(`/simulator/phones/${encodeURIComponent(number)}`),
    refetchInterval: ({ state }) => (state.error ? false : POLL_MS),
  })
}

function Screen({ number }: { number: string }) {
  const { service_name, may } = useSession()
  const { data } = usePhone(number)
  const [sending, setSending] = useState(false)
  const mine = may('initiate_collections')
  const [prompt] = data?.prompts ?? []
  return (
    <Handset label={`The phone ${number}`} now={data?.now}>
      <Messages from={service_name} texts={data?.texts ?? []} />
      {mine && (
        <div className="phone-dock">
          <button type="button" className="phone-button" onClick={() => setSending(true)}>
            Send money
          </button>
        </div>
      )}
      <div className="phone-bar" aria-hidden />
      {sending && <SendMoney phone={number} close={() => setSending(false)} />}
      {prompt && <Prompt key={prompt.reference} phone={number} prompt={prompt} />}
    </Handset>
  )
}

/** The number of the phone, which is kept in the address. */
function NumberField({ number }: { number: string }) {
  const navigate = useNavigate()
  const [text, setText] = useState(number)
  const { error } = usePhone(number)
  const go = (to: string) => {
    if (to.trim() && to !== number) navigate({ to: '.', search: { number: to.trim() } as never })
  }
  const described = customers.find((customer) => customer.number === number)
  return (
    <Autocomplete
      label="Phone number"
      description={described?.does ?? 'Pays about a second after being asked.'}
      error={error instanceof ApiError && error.status === 400 ? 'Enter a number with its country code.' : undefined}
      type="tel"
      data={customers.map((customer) => customer.number)}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          <Text fz="sm" className="numeric">
            {option.value}
          </Text>
          <Text fz="xs" c="dimmed">
            {customers.find((customer) => customer.number === option.value)?.does}
          </Text>
        </div>
      )}
      value={text}
      onChange={setText}
      onOptionSubmit={go}
      onBlur={() => go(text)}
      onKeyDown={(event) => event.key === 'Enter' && go(text)}
    />
  )
}

/** Requests money from this customer, with the most important fields. */
function AskPanel({ number }: { number: string }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { amount: '1500', currency: 'BXC', reason: 'Order 7' } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values) =>
      api.post<CollectionRequest>('/collectionrequests', { ...values, phonenumber: number, send_instructions: true }),
    () => {
      // Without the focus here, the prompt gets the focus when it appears.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      client.invalidateQueries({ queryKey: ['phone', number] })
    },
  )
  return (
    <Panel title="Ask for money">
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="sm">
          <Group align="flex-start" wrap="nowrap" grow>
            <TextInput label="Amount" inputMode="decimal" {...form.getInputProps('amount')} />
            <TextInput label="Currency" {...form.getInputProps('currency')} />
            <TextInput label="Reason" {...form.getInputProps('reason')} />
          </Group>
          <Problem error={error} />
          <Group justify="space-between">
            <Text fz="sm" c="dimmed">
              The PIN of every customer is 1234.
            </Text>
            <Button type="submit" loading={pending}>
              Ask
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

/** Moves the clock by five minutes, so that the prompt lapses without an answer. */
function NoAnswerPanel({ number }: { number: string }) {
  const { data } = usePhone(number)
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => advanceClock('5 minutes'),
    onSettled: () => client.invalidateQueries(),
  })
  if (!isPending && !error && data?.prompts.length !== 1) return null
  return (
    <Group justify="space-between">
      <Text fz="sm" c="dimmed">
        Or do not answer: a prompt lapses after a while.
      </Text>
      <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
        Let five minutes pass
      </Button>
      <Problem error={error} />
    </Group>
  )
}

/** The history of the prompt's request, or of the newest request. */
function TimelinePanel({ number }: { number: string }) {
  const { data } = usePhone(number)
  const request = data?.prompts[0]?.collection_request ?? data?.latest_request
  if (!request) return null
  return (
    <Panel
      title={`Request ${request}`}
      actions={
        <Anchor component={Link} to={`/collectionrequests/${request}`} fz="sm">
          All about it
        </Anchor>
      }
    >
      <RequestTimeline request={request} poll_ms={POLL_MS} />
    </Panel>
  )
}
