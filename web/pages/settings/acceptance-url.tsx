import { Group, Select, Text, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import type { Settings } from '../../wire.ts'

/** The acceptance URL, which accepts or rejects money that no request asked for. */
export function AcceptanceUrlPanel({ hook, changed }: { hook: Settings['hook']; changed(): void }) {
  return (
    <Panel
      title="Money that was not asked for"
      about="An address of yours can be asked whether you take it."
      actions={
        <Group gap="xs">
          {hook && (
            <Confirm
              button="Take away"
              title="Take all money again?"
              act={() => api.delete('/settings/hook')}
              done={changed}
            >
              Nobody is asked any more. What was asked and not answered is accepted.
            </Confirm>
          )}
          <AcceptanceUrlForm hook={hook} />
        </Group>
      }
    >
      {hook ? (
        <Facts
          facts={[
            ['Address', hook.url],
            ['When nobody answers', hook.when_unreachable === 'accept' ? 'It is accepted' : 'It is rejected'],
            ['Time to answer', `${hook.timeout_s} seconds`],
            ['Changed', <Time key="modified" at={hook.modified} />],
          ]}
        />
      ) : (
        <Text fz="sm">Nobody is asked: all money is accepted.</Text>
      )}
    </Panel>
  )
}

function AcceptanceUrlForm({ hook }: { hook: Settings['hook'] }) {
  return (
    <FormDialog
      button={hook ? 'Change' : 'Set an address'}
      title="Ask before money is taken"
      submit="Set"
      look={{ variant: 'default', size: 'xs' }}
      initial={{
        url: hook?.url ?? '',
        when_unreachable: hook?.when_unreachable ?? 'accept',
        timeout: String(hook?.timeout_s ?? 60),
      }}
      send={(values) => api.put('/settings/hook', values)}
      done="It is asked from now on."
      fields={(form) => (
        <>
          <TextInput label="Address" type="url" required data-autofocus {...form.getInputProps('url')} />
          <Group grow align="flex-start">
            <Select
              label="When nobody answers"
              data={[
                { value: 'accept', label: 'Accept it' },
                { value: 'reject', label: 'Reject it' },
              ]}
              allowDeselect={false}
              {...form.getInputProps('when_unreachable')}
            />
            <TextInput
              label="Seconds to answer"
              inputMode="numeric"
              description="At most 60."
              {...form.getInputProps('timeout')}
            />
          </Group>
        </>
      )}
    />
  )
}
