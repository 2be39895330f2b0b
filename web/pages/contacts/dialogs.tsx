import { Group, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { api } from '../../api.ts'
import { formatWord } from '../../format.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { ContactDetails } from '../../wire.ts'

/** Creates a contact. */
export function NewContact() {
  return (
    <FormDialog
      button="Add a contact"
      title="Add a contact"
      submit="Add"
      look={{ leftSection: <IconPlus size={16} /> }}
      initial={{ phone_number: '', first_name: '', last_name: '', email: '', type: 'other' }}
      send={(values) => api.post('/contacts', values)}
      done="The contact is there."
      fields={(form) => (
        <>
          <TextInput
            label="Phone number"
            description="With its country code."
            type="tel"
            required
            data-autofocus
            {...form.getInputProps('phone_number')}
          />
          <PersonFields form={form} />
        </>
      )}
    />
  )
}

/** Changes the details of a contact, except its phone number. */
export function EditContact({ contact }: { contact: ContactDetails }) {
  const { first_name, last_name, email, type, status } = contact
  return (
    <FormDialog
      button="Edit"
      title="Edit this contact"
      submit="Save"
      look={{ variant: 'default' }}
      initial={{ first_name, last_name, email: email ?? '', type, status }}
      send={(values) => api.patch(`/contacts/${contact.id}`, values)}
      done="The contact is changed."
      fields={(form) => (
        <>
          <PersonFields form={form} />
          <Select
            label="Status"
            data={choices('active', 'inactive')}
            allowDeselect={false}
            {...form.getInputProps('status')}
          />
        </>
      )}
    />
  )
}

function PersonFields({ form }: { form: Pick<UseFormReturnType<object>, 'getInputProps'> }) {
  return (
    <>
      <Group grow align="flex-start">
        <TextInput label="First name" required {...form.getInputProps('first_name')} />
        <TextInput label="Last name" required {...form.getInputProps('last_name')} />
      </Group>
      <TextInput label="E-mail" type="email" {...form.getInputProps('email')} />
      <Select
        label="Is to you"
        data={choices('employee', 'beneficiary', 'vendor', 'other')}
        allowDeselect={false}
        {...form.getInputProps('type')}
      />
    </>
  )
}

function choices(...codes: string[]) {
  return codes.map((value) => ({ value, label: formatWord(value) }))
}
