import type { RowData } from '@tanstack/react-table'
import { ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { Checkbox } from '../ui/field/choice.tsx'
import { actionsColumn, type Cell, cellsOf, type DataColumn } from './columns.ts'
import { hasTextSelected, isForControl, onRowKey } from './row-events.ts'

export const bodyCell = 'border-b bg-inherit px-3 whitespace-nowrap'
export const selectCell = 'sticky left-0 w-10 min-w-10 pr-0! leading-none'
/** Over the cells that scroll under it; opaque, because it takes the row's own colour. */
const stickyBody = 'z-[5]'

/** Actions of a row on its table; the same object as long as the table lives. */
export interface RowActions<Row> {
  select(id: string, checked: boolean): void
  open(row: Row): void
  fold(id: string): void
}

interface GridRowProps<Row extends RowData> {
  readonly id: string
  readonly row: Row
  readonly columns: readonly DataColumn<Row>[]
  readonly density: string
  /** Columns have given widths. */
  readonly fixed: boolean
  readonly stickyFirst: string
  /** `undefined` in a table without selection. */
  readonly selectable: boolean | undefined
  readonly selected: boolean
  readonly muted: boolean
  /** A click opens the row's sheet. */
  readonly opens: boolean
  /** `undefined` in a table without details. */
  readonly unfolded: boolean | undefined
  /** Under the row. */
  readonly detail: ReactNode
  readonly actions: RowActions<Row>
}

function PlainGridRow<Row extends RowData>(props: GridRowProps<Row>) {
  const { id, row, columns, density, fixed, stickyFirst, selectable, selected, unfolded, actions } = props
  const fold = unfolded === undefined ? undefined : () => actions.fold(id)
  const open = props.opens ? () => actions.open(row) : fold
  const leading = (selectable === undefined ? 0 : 1) + (unfolded === undefined ? 0 : 1)
  return (
    <>
      <tr
        {...(open && {
          tabIndex: 0,
          onClick: (event: MouseEvent<HTMLTableRowElement>) =>
            !isForControl(event) && !hasTextSelected(event.currentTarget) && open(),
          onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => onRowKey(event, open),
        })}
        className={cx(
          'group/row bg-surface outline-none hover:bg-row-hover focus-visible:bg-hover',
          open && 'cursor-pointer',
          selected && 'bg-accent-soft! hover:bg-accent-soft!',
          props.muted && 'text-muted',
        )}
      >
        {selectable !== undefined && (
          <SelectCell id={id} selectable={selectable} selected={selected} actions={actions} />
        )}
        {fold && <FoldCell unfolded={unfolded ?? false} onFold={fold} />}
        <RowCells columns={columns} row={row} density={density} fixed={fixed} stickyFirst={stickyFirst} />
      </tr>
      {unfolded && (
        <tr>
          <td colSpan={columns.length + leading} className="border-b bg-sunken px-5 py-4">
            {props.detail}
          </td>
        </tr>
      )}
    </>
  )
}

/** A row of the grid. Drawn again only when something of its own changes: a table has a hundred. */
export const GridRow = memo(PlainGridRow) as typeof PlainGridRow

type RowCellsProps<Row extends RowData> = Pick<
  GridRowProps<Row>,
  'columns' | 'row' | 'density' | 'fixed' | 'stickyFirst'
>

function PlainRowCells<Row extends RowData>({
  columns,
  row,
  density,
  fixed,
  stickyFirst,
}: RowCellsProps<Row>): ReactNode {
  return cellsOf(columns, row).map((cell, index) => (
    <td
      key={cell.column.id}
      {...(cell.span > 1 && { colSpan: cell.span })}
      className={cellClass(cell, { density, fixed, sticky: index === 0 ? stickyFirst : undefined })}
    >
      <CellContent column={cell.column} row={row} />
    </td>
  ))
}

/** The cells beside the check box: choosing a row draws none of them again. */
const RowCells = memo(PlainRowCells) as typeof PlainRowCells

function PlainCellContent<Row extends RowData>(props: {
  readonly column: DataColumn<Row>
  readonly row: Row
}): ReactNode {
  return props.column.cell(props.row)
}

/** A component of its own, so that a column may use hooks, and another width draws no content again. */
const CellContent = memo(PlainCellContent) as typeof PlainCellContent

interface SelectCellProps {
  readonly id: string
  readonly selectable: boolean
  readonly selected: boolean
  readonly actions: Pick<RowActions<never>, 'select'>
}

function SelectCell({ id, selectable, selected, actions }: SelectCellProps) {
  const { t } = useTranslation()
  return (
    <td className={cx(bodyCell, selectCell, stickyBody)}>
      {selectable && (
        <Checkbox
          aria-label={t('table.selectRow', { id })}
          checked={selected}
          onCheckedChange={(checked) => actions.select(id, checked)}
        />
      )}
    </td>
  )
}

function FoldCell({ unfolded, onFold }: { readonly unfolded: boolean; readonly onFold: () => void }) {
  const { t } = useTranslation()
  return (
    <td className={cx(bodyCell, 'w-9 pr-0!')}>
      <button
        type="button"
        aria-label={t('table.details')}
        aria-expanded={unfolded}
        className="grid size-6 place-items-center rounded-sm text-muted hover:bg-hover hover:text-text"
        onClick={onFold}
      >
        <ChevronRight className={cx('size-3.5 transition-transform', unfolded && 'rotate-90')} aria-hidden />
      </button>
    </td>
  )
}

interface CellLook {
  readonly density: string
  readonly fixed: boolean
  /** Class of the first column only. */
  readonly sticky: string | undefined
}

function cellClass<Row extends RowData>(
  { column, span }: Cell<Row>,
  { density, fixed, sticky }: CellLook,
): string {
  return cx(
    bodyCell,
    density === 'compact' ? 'h-8' : 'h-10',
    column.numeric && 'figures text-right',
    column.id === actionsColumn && `sticky right-0 text-right ${stickyBody}`,
    sticky !== undefined && 'font-medium',
    sticky && `${sticky} ${stickyBody}`,
    span > 1 ? 'max-w-0 whitespace-normal! py-0.5' : (fixed || column.grow) && 'max-w-0 truncate',
  )
}
