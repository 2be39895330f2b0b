import { Group, Switch, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { SmsSettings } from '../../wire.ts'

type Sender = SmsSettings['senders'][number]

/** What phones show as the sender, by country. */
export function Senders({ settings: { senders, editable } }: { settings: SmsSettings }) {
  return (
    <Panel
      title="Sender ids"
      about="What phones show as the sender. In most countries your SMS provider must register it first."
      actions={editable && <SenderForm />}
    >
      {senders.length === 0 ? (
        <Text fz="sm">There are none: phones show the sender of the SMS provider.</Text>
      ) : (
        senders.map((sender) => (
          <Group key={sender.id} justify="space-between" wrap="nowrap">
            <Text fz="sm" className="any-break">
              {describeSender(sender)}
            </Text>
            {editable && <RemoveSender sender={sender} />}
          </Group>
        ))
      )}
    </Panel>
  )
}

function describeSender({ sender_id, country, own }: Sender): string {
  return `${sender_id} in ${country ?? 'all countries'}${own ? '' : ', for all organizations'}`
}

function RemoveSender({ sender }: { sender: Sender }) {
  const client = useQueryClient()
  return (
    <Confirm
      button="Remove"
      title="Remove this sender id?"
      act={() => api.delete(`/settings/sms/senders/${sender.id}`)}
      done={() => client.invalidateQueries({ queryKey: ['/settings/sms'] })}
    >
      {describeSender(sender)}. New SMS show another sender.
    </Confirm>
  )
}

function SenderForm() {
  return (
    <FormDialog
      button="Set a sender id"
      title="Set what phones show as the sender"
      submit="Set"
      look={{ variant: 'default', size: 'xs' }}
      initial={{ sender_id: '', country: '', own: true }}
      send={(values) => api.put('/settings/sms/senders', values)}
      done="New SMS show this sender."
      fields={(form) => (
        <>
          <TextInput
            label="Sender id"
            description="Up to 11 letters and digits, or a number or a short code."
            required
            data-autofocus
            {...form.getInputProps('sender_id')}
          />
          <TextInput label="Country" description="Such as UG. Empty: all." {...form.getInputProps('country')} />
          <Switch
            label="Only for this organization"
            description="Otherwise also for organizations that are added later."
            {...form.getInputProps('own', { type: 'checkbox' })}
          />
        </>
      )}
    />
  )
}
