import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsColumn, type DataColumn } from '../../components/data-table/index.ts'
import { ContextSize, Vendor } from '../../components/prices/model-facts.tsx'
import { useGridBelow, usePhone } from '../../lib/browser/media-query.ts'
import type { TokenPriceKind } from '../../lib/format/price.ts'
import { ActionsCell, CardCell, ChannelsCell, ModelCell, NoPriceCell, PriceCell } from './cells.tsx'
import { CostCell, MarginCell } from './cost-cells.tsx'
import { isUnpriced, type ModelRow } from './model-rows.ts'
import type { PriceView } from './search.ts'

export interface ModelColumnsOptions {
  readonly view: PriceView
  readonly onOpen: (model: string) => void
}

/** The prices of a row; one that has none says so in the room of all of them. */
const priceColumns = [
  { id: 'input', kind: 'input' },
  { id: 'output', kind: 'output' },
  { id: 'cached', kind: 'cacheRead' },
  { id: 'cacheWrite', kind: 'cacheWrite', hidden: true },
  { id: 'audioInput', kind: 'audioInput', hidden: true },
  { id: 'audioOutput', kind: 'audioOutput', hidden: true },
  { id: 'imageInput', kind: 'imageInput', hidden: true },
  { id: 'imageOutput', kind: 'imageOutput', hidden: true },
] as const satisfies readonly {
  readonly id: string
  readonly kind: TokenPriceKind
  readonly hidden?: true
}[]

const priceWidth = '7.5rem'
const sortable: readonly string[] = ['input', 'output', 'cached']

/** Windows that are narrower begin without what is in the row's sheet. */
const windows = { small: 768, laptop: 1200, wide: 1440, desk: 1680 } as const

/**
 * Returns the columns in reading order: the model, its price for callers and its cost for the operator, its facts, and its channels.
 */
export function useModelColumns({ view, onOpen }: ModelColumnsOptions): readonly DataColumn<ModelRow>[] {
  const { t } = useTranslation('models')
  const small = useGridBelow(windows.small)
  const laptop = useGridBelow(windows.laptop)
  const wide = useGridBelow(windows.wide)
  const narrow = useGridBelow(windows.desk)
  const phone = usePhone()
  return useMemo(
    (): readonly DataColumn<ModelRow>[] => [
      {
        id: 'model',
        header: t('column.model'),
        sortable: true,
        width: '10rem',
        grow: true,
        card: 'title',
        cell: (row) => <ModelCell row={row} />,
      },
      ...priceColumns.map(
        ({ id, kind, ...rest }, index): DataColumn<ModelRow> => ({
          ...rest,
          id,
          header: t(view === 'ratios' ? `ratio.${id}` : `column.${id}`),
          numeric: true,
          sortable: sortable.includes(id),
          width: priceWidth,
          ...(id === 'cached' && { hidden: small }),
          card: 'none',
          over: (row) => (isUnpriced(row) ? priceColumns.slice(0, index).map((column) => column.id) : []),
          cell: (row) =>
            isUnpriced(row) ? <NoPriceCell row={row} /> : <PriceCell row={row} kind={kind} view={view} />,
        }),
      ),
      {
        id: 'cost',
        header: t('column.cost'),
        numeric: true,
        width: '9.5rem',
        hidden: narrow,
        card: 'none',
        cell: (row) => <CostCell row={row} />,
      },
      {
        id: 'margin',
        header: t('column.margin'),
        numeric: true,
        width: '5.5rem',
        hidden: laptop,
        card: 'none',
        cell: (row) => <MarginCell row={row} />,
      },
      {
        id: 'vendor',
        header: t('column.vendor'),
        sortable: true,
        width: '7rem',
        hidden: wide,
        card: 'none',
        cell: ({ owner_by }) => <Vendor name={owner_by} />,
      },
      {
        id: 'context',
        header: t('column.context'),
        numeric: true,
        sortable: true,
        width: '5.5rem',
        hidden: wide,
        card: 'none',
        cell: ({ context_size }) => <ContextSize tokens={context_size} />,
      },
      {
        id: 'channels',
        header: t('column.channels'),
        sortable: true,
        width: '8.5rem',
        hidden: laptop,
        card: 'none',
        cell: ({ channels, model_name }) => <ChannelsCell channels={channels} model={model_name} />,
      },
      {
        id: actionsColumn,
        header: '',
        width: '8.5rem',
        cell: (row) =>
          phone ? <CardCell row={row} onOpen={onOpen} /> : <ActionsCell row={row} onOpen={onOpen} />,
      },
    ],
    [t, view, onOpen, small, laptop, wide, narrow, phone],
  )
}
