import { ActionIcon, Button, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconBookmark, IconCheck, IconDeviceFloppy, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { t } from '../../texts/index.ts'
import type { SavedView } from '../../wire.ts'
import { useCards } from '../data-table.tsx'
import { FormButtons } from '../form-dialog.tsx'
import { notifyProblem } from '../notify.tsx'
import { Problem } from '../problem.tsx'
import { useSubmit } from '../use-submit.ts'
import { type ListSearch, useListSearch, useSetListSearch } from './list-query.ts'

/** The paths whose lists can have views: those that are the same for all objects. */
const WITH_VIEWS = /^\/[a-z][a-z/-]*$/

/** Return the values of an address that a view keeps: filters, order and columns. */
function valuesOf({ page, view, ...search }: ListSearch): Record<string, string> {
  const entries = Object.entries(search).flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  return Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b)))
}

function isSame(a: Record<string, string>, b: Record<string, string>): boolean {
  return JSON.stringify(valuesOf(a)) === JSON.stringify(valuesOf(b))
}

/**
 * The views that the user has stored of a list. A view is a link, so its address can be shared; the menu is the user's own.
 * @param props.path the list's path in the interface
 */
export function ViewsMenu({ path }: { path: string }) {
  const search = useListSearch()
  const cards = useCards()
  const [naming, setNaming] = useState<SavedView | 'new'>('new')
  const [opened, { open, close }] = useDisclosure()
  const name = (view: SavedView | 'new') => {
    setNaming(view)
    open()
  }
  const { data } = useQuery({
    queryKey: ['/views', path],
    queryFn: () => api.get<{ results: SavedView[] }>('/views', { list: path }),
    enabled: WITH_VIEWS.test(path),
    staleTime: 60_000,
  })
  if (!WITH_VIEWS.test(path)) return null
  const views = data?.results ?? []
  const current = views.find(({ id }) => String(id) === search.view)
  return (
    <>
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          {cards && !current ? (
            <ActionIcon variant="subtle" size={30} aria-label={t('lists.views.menu')}>
              <IconBookmark size={16} aria-hidden />
            </ActionIcon>
          ) : (
            <Button variant="subtle" size="xs" px="xs" leftSection={<IconBookmark size={16} />} maw="100%">
              {current?.name ?? t('lists.views.menu')}
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown maw="90vw">
          {views.length === 0 && <Menu.Label className="wrapped">{t('lists.views.none')}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item
              key={view.id}
              component={Link}
              to="."
              search={{ ...view.search, view: String(view.id) } as never}
              leftSection={view === current ? <IconCheck size={16} /> : <IconBookmark size={16} />}
              aria-current={view === current || undefined}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconDeviceFloppy size={16} />} onClick={() => name('new')}>
            {t('lists.views.save')}
          </Menu.Item>
          {current && <CurrentView path={path} view={current} rename={() => name(current)} />}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={opened}
        onClose={close}
        title={t(naming === 'new' ? 'lists.views.save_title' : 'lists.views.rename')}
      >
        <NameForm path={path} view={naming} close={close} />
      </Modal>
    </>
  )
}

/** Actions on the opened view. */
function CurrentView({ path, view, rename }: { path: string; view: SavedView; rename(): void }) {
  const search = useListSearch()
  const set = useSetListSearch()
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSuccess: () => client.invalidateQueries({ queryKey: ['/views', path] }),
    onError: notifyProblem,
  })
  const { name } = view
  const change = async () => {
    await api.put(`/views/${view.id}`, { name, search: valuesOf(search) })
    notifications.show({ color: 'green', message: t('lists.views.changed', { name }) })
  }
  const remove = async () => {
    await api.delete(`/views/${view.id}`)
    set({ view: undefined })
    notifications.show({ color: 'green', message: t('lists.views.deleted', { name }) })
  }
  return (
    <>
      {!isSame(valuesOf(search), view.search) && (
        <Menu.Item leftSection={<IconDeviceFloppy size={16} />} onClick={() => mutate(change)}>
          {t('lists.views.change', { name })}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={rename}>
        {t('lists.views.rename')}
      </Menu.Item>
      <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => mutate(remove)}>
        {t('lists.views.delete', { name })}
      </Menu.Item>
    </>
  )
}

/** The form that names a view: a new one of the present address, or one that exists. */
function NameForm({ path, view, close }: { path: string; view: SavedView | 'new'; close(): void }) {
  const search = useListSearch()
  const set = useSetListSearch()
  const client = useQueryClient()
  const form = useForm({ initialValues: { name: view === 'new' ? '' : view.name } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    ({ name }) =>
      view === 'new'
        ? api.post<SavedView>('/views', { list: path, name, search: valuesOf(search) })
        : api.put<SavedView>(`/views/${view.id}`, { name, search: view.search }),
    async (saved) => {
      await client.invalidateQueries({ queryKey: ['/views', path] })
      if (view === 'new') set({ view: saved.id })
      notifications.show({ color: 'green', message: t('lists.views.saved', { name: saved.name }) })
      close()
    },
  )
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label={t('lists.views.name')}
          required
          maxLength={60}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Text fz="sm" c="dimmed">
          {t('lists.views.about')}
        </Text>
        <Problem error={error} />
        <FormButtons submit={t('lists.views.submit')} pending={pending} close={close} />
      </Stack>
    </form>
  )
}
