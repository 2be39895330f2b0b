import { Alert, Anchor, FileInput, Paper, Select, Text } from '@mantine/core'
import { type DragEvent, type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '../../api.ts'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'

/**
 * Say which columns a file has, and link to its empty templates. @param path where they are, such as `/bulk-payments`
 */
export function TemplateLinks({ path, children }: { path: string; children: ReactNode }) {
  return (
    <Text fz="sm">
      {children}{' '}
      <Anchor href={`/console/api${path}/template.xlsx`} download underline="always" fz="sm">
        {t('bulk.upload.template_xlsx')}
      </Anchor>
      {' · '}
      <Anchor href={`/console/api${path}/template.csv`} download underline="always" fz="sm">
        {t('bulk.upload.template_csv')}
      </Anchor>
    </Text>
  )
}

/** The choice of a CSV or an Excel file, which may also be dropped. */
export function FileField(props: { value: File | null; error?: ReactNode; change(file: File | null): void }) {
  const { value, error, change } = props
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) change(file)
  }
  return (
    <Paper
      withBorder
      p="md"
      bg={over ? 'var(--mantine-color-default-hover)' : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileInput
        label={t('bulk.file')}
        description={t('bulk.upload.file_about')}
        placeholder={t('bulk.upload.choose')}
        accept=".csv,.xlsx,text/csv"
        required
        clearable
        value={value}
        onChange={change}
        error={error}
      />
    </Paper>
  )
}

/** Return the sheets to choose from, as the last answer names them; they stay until there is another file. */
export function useSheets(error: unknown, file: File | null): readonly string[] {
  const [asked, setAsked] = useState<{ file: File | null; sheets: readonly string[] }>()
  const sheets = error instanceof ApiError ? error.fields.sheets : undefined
  useEffect(() => {
    if (sheets) setAsked({ file, sheets })
  }, [sheets, file])
  return asked && asked.file === file ? asked.sheets : []
}

/** The choice of a sheet, where a workbook has several. */
export function SheetField(props: { sheets: readonly string[]; value: string; change(sheet: string): void }) {
  const { sheets, value, change } = props
  if (sheets.length === 0) return null
  return (
    <Select
      label={t('bulk.upload.sheet')}
      description={t('bulk.upload.sheet_about')}
      placeholder={t('fields.choose')}
      data={[...new Set(sheets)]}
      value={value || null}
      onChange={(sheet) => change(sheet ?? '')}
      required
    />
  )
}

/** Notes on the reading of a file, and on its skipped parts. */
export function FileNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <Alert color="orange" title={t('bulk.notes')}>
      {notes.map((note) => (
        <Text key={note} fz="sm">
          {translateMessage(note)}
        </Text>
      ))}
    </Alert>
  )
}
