import { Button, Checkbox, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatWord } from '../../format.ts'
import { t } from '../../texts/index.ts'

/** Question in the editor. */
export interface Question {
  label: string
  type: string
  required: boolean
  /** Choices, separated by commas. */
  choices: string
}

const types = ['text', 'number', 'choice'].map((value) => ({ value, label: formatWord(value) }))

/** Further questions to a customer, which can be added and removed. */
export function OwnFields(props: { value: Question[]; onChange(value: Question[]): void; error?: ReactNode }) {
  const { value, onChange, error } = props
  const change = (index: number, part: Partial<Question>) =>
    onChange(value.map((one, at) => (at === index ? { ...one, ...part } : one)))
  return (
    <Stack gap="xs">
      {value.map((question, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: questions have no other identity while they are edited
        <Paper withBorder p="sm" key={index}>
          <Stack gap="sm">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
              <TextInput
                label={t('links.questions.question', { number: index + 1 })}
                value={question.label}
                onChange={(event) => change(index, { label: event.currentTarget.value })}
              />
              <Select
                label={t('links.questions.answer')}
                data={types}
                allowDeselect={false}
                value={question.type}
                onChange={(type) => change(index, { type: type ?? 'text' })}
              />
            </SimpleGrid>
            {question.type === 'choice' && (
              <TextInput
                label={t('links.questions.choices')}
                placeholder={t('links.questions.choices_example')}
                value={question.choices}
                onChange={(event) => change(index, { choices: event.currentTarget.value })}
              />
            )}
            <Group justify="space-between">
              <Checkbox
                label={t('links.questions.required')}
                checked={question.required}
                onChange={(event) => change(index, { required: event.currentTarget.checked })}
              />
              <Button variant="default" size="xs" onClick={() => onChange(value.filter((_, at) => at !== index))}>
                {t('fields.remove')}
              </Button>
            </Group>
          </Stack>
        </Paper>
      ))}
      {error && (
        <Text c="red.9" fz="sm" role="alert">
          {error}
        </Text>
      )}
      <Group>
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...value, { label: '', type: 'text', required: true, choices: '' }])}
        >
          {t('links.questions.add')}
        </Button>
      </Group>
    </Stack>
  )
}

/** The questions in the form of the interface. Their names are made of their labels. */
export function toFields(questions: readonly Question[]): object[] {
  const names = new Set<string>()
  return questions.map(({ label, type, required, choices }, index) => {
    const plain = label
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
    const base = plain.replace(/^[^a-z]+|_$/g, '').slice(0, 35) || `field_${index + 1}`
    const name = names.has(base) || base === 'payment_link' ? `${base}_${index + 1}` : base
    names.add(name)
    const list = choices.split(',').map((choice) => choice.trim())
    return { name, label, type, required, choices: type === 'choice' ? list.filter((choice) => choice !== '') : [] }
  })
}
