import { Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  type MouseEvent,
  type ReactNode,
  type Ref,
  type RefCallback,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type DataColumn, hasTwoLines } from './list/column.ts'
import './list/cards.css'

export type { DataColumn } from './list/column.ts'

export interface DataTableProps<Row> {
  /** Name of the rows, for screen readers. */
  title: string
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
}

/** Return true if the window is as narrow as a phone, where rows are cards. */
export function useCards(): boolean {
  return useMediaQuery('(max-width: 39.99em)', undefined, { getInitialValueInEffect: false })
}

const isDialogOpen = () => document.querySelector('[role=dialog]') !== null

/**
 * Return true if rows are cards, and the ref of the rows. While a dialog is open above them they keep their form: a
 * row would close its dialog when a phone is turned. Rows within a dialog change at once.
 */
export function useRowCards(): [cards: boolean, rows: RefCallback<HTMLElement>] {
  const cards = useCards()
  const [shown, show] = useState(cards)
  const element = useRef<HTMLElement>(null)
  const rows = useCallback((found: HTMLElement | null) => {
    element.current = found
  }, [])
  useEffect(() => {
    if (cards === shown) return
    const settle = () => {
      if (element.current?.closest('[role=dialog]') || !isDialogOpen()) show(cards)
    }
    settle()
    const observer = new MutationObserver(settle)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [cards, shown])
  return [shown, rows]
}

/** A table, whose rows are cards on a phone. It is a group, and no landmark: panels with the same title are. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { title, columns, rows, keyOf } = props
  const [cards, ref] = useRowCards()
  if (cards) return <RowCards {...props} ref={ref} />
  return (
    <Table.ScrollContainer
      ref={ref}
      type="native"
      minWidth={columns.length * 110}
      tabIndex={0}
      role="group"
      aria-label={title}
    >
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.title} ta={column.align}>
                {column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map((column) => (
                <Table.Td key={column.title} ta={column.align} className={column.align && 'numeric no-break'}>
                  {column.value(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface RowCardsProps<Row> extends DataTableProps<Row> {
  /** The ref of the rows, see `useRowCards`. */
  ref?: Ref<HTMLUListElement>
  /** The control that selects a row. */
  select?: (row: Row) => ReactNode
  open?: (row: Row, event: MouseEvent) => void
}

/** Show the rows of a table as stacked cards: two lines with the name, the amount and the state, then other columns. */
export function RowCards<Row>(props: RowCardsProps<Row>) {
  const { ref, title, columns, rows, keyOf, open } = props
  const twoLines = hasTwoLines(columns)
  const others = columns.filter(({ status, card }, index) =>
    twoLines ? index > 0 && !status && card !== 'amount' && card !== 'note' : !status,
  )
  return (
    <ul ref={ref} className="row-cards" aria-label={title}>
      {rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the link in the card does the same with the keyboard
        <li key={keyOf(row)} onClick={open && ((event) => open(row, event))}>
          {twoLines ? <TwoLines {...props} row={row} /> : <CardHead {...props} row={row} />}
          <dl className="facts">
            {others.map((column) => (
              <CardLine key={column.title} title={column.title} value={column.value(row)} />
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

/** The first two lines of a card: name and amount, then notes and state. */
function TwoLines<Row>({ columns, select, row }: RowCardsProps<Row> & { row: Row }) {
  const [name, ...rest] = columns
  const show = (chosen: (column: DataColumn<Row>) => unknown) =>
    rest.filter(chosen).map((column) => <span key={column.title}>{column.value(row)}</span>)
  return (
    <div className="card-head card-two">
      {select?.(row)}
      <div>
        <div className="card-name">{name!.value(row)}</div>
        <div className="card-amount">{show(({ card }) => card === 'amount')}</div>
        <div className="card-notes">{show(({ card }) => card === 'note')}</div>
        <div className="card-state">{show(({ status }) => status)}</div>
      </div>
    </div>
  )
}

/** The head of a card with many lines: its state. */
function CardHead<Row>({ columns, select, row }: RowCardsProps<Row> & { row: Row }) {
  const states = columns.filter(({ status }) => status)
  if (states.length === 0 && !select) return null
  return (
    <div className="card-head">
      <div>
        {states.map((column) => (
          <span key={column.title}>{column.value(row)}</span>
        ))}
      </div>
      {select?.(row)}
    </div>
  )
}

/** Actions that a row does not have leave no line. */
function CardLine({ title, value }: { title: string; value: ReactNode }) {
  if (value === null || value === undefined || value === false) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  )
}
