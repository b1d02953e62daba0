import { Pencil, Plus, Trash2 } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../../components/ui/button.tsx'
import { Input } from '../../../../components/ui/field/input.tsx'
import { Pagination } from '../../../../components/ui/pagination.tsx'
import { lazyComponent } from '../../../../lib/lazy-component.ts'
import {
  type ModelPriceRow,
  type PriceMaps,
  priceRows,
  pricesOfRatios,
  withoutModel,
} from '../../model/prices.ts'

const PriceSheet = lazyComponent(() => import('./price-sheet.tsx'), 'PriceSheet')

const pageSize = 10

export interface PriceTableProps {
  readonly maps: PriceMaps
  /** `undefined`: prices are shown, and not changed. */
  readonly onChange: ((maps: PriceMaps) => void) | undefined
}

/** The price of every model that has one. Changes wait for the save button of the page. */
export function PriceTable({ maps, onChange }: PriceTableProps) {
  const { t } = useTranslation('settings')
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<{ readonly row: ModelPriceRow | undefined }>()
  const rows = useMemo(() => priceRows(maps), [maps])
  const found = rows.filter(({ model }) => model.toLowerCase().includes(keyword.trim().toLowerCase()))
  const current = Math.min(page, Math.max(1, Math.ceil(found.length / pageSize)))
  const visible = found.slice((current - 1) * pageSize, current * pageSize)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Input
          type="search"
          className="max-w-64 max-sm:max-w-none"
          aria-label={t('pricing.search')}
          placeholder={t('pricing.search')}
          value={keyword}
          onChange={(event) => setKeyword(event.target.value)}
        />
        {onChange && (
          <Button icon={Plus} className="ml-auto" onClick={() => setOpen({ row: undefined })}>
            {t('pricing.add')}
          </Button>
        )}
      </div>
      <div className="edge-shadows overflow-x-auto">
        <table className="w-full text-sm sm:min-w-[36rem]">
          <caption className="sr-only">{t('group.pricing')}</caption>
          <thead className="border-b text-left text-muted text-xs">
            <tr>
              <th className="pr-3 pb-1.5 font-medium">{t('pricing.model')}</th>
              <th className="pr-3 pb-1.5 text-right font-medium">{t('pricing.price')}</th>
              <th className="pr-3 pb-1.5 text-right font-medium max-sm:hidden">{t('pricing.ratio')}</th>
              <th className="pr-3 pb-1.5 text-right font-medium max-sm:hidden">{t('pricing.completion')}</th>
              <th className="w-20 pb-1.5">
                <span className="sr-only">{t('rows.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {visible.map((row) => (
              <PriceRow
                key={row.model}
                row={row}
                actions={
                  onChange && {
                    edit: () => setOpen({ row }),
                    remove: () => onChange(withoutModel(maps, row.model)),
                  }
                }
              />
            ))}
          </tbody>
        </table>
        {visible.length === 0 && <p className="py-6 text-center text-muted text-sm">{t('pricing.none')}</p>}
      </div>
      <Pagination
        page={current}
        pageSize={pageSize}
        total={found.length}
        count={visible.length}
        onPageChange={setPage}
      />
      <Suspense>
        {open && onChange && (
          <PriceSheet row={open.row} maps={maps} onChange={onChange} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </>
  )
}

interface PriceRowProps {
  readonly row: ModelPriceRow
  readonly actions: { readonly edit: () => void; readonly remove: () => void } | undefined
}

function PriceRow({ row, actions }: PriceRowProps) {
  const { t } = useTranslation('settings')
  const { model, perCall, ratio, completion } = row
  return (
    <tr className="border-b last:border-b-0">
      <th
        scope="row"
        className="max-w-64 truncate py-1 pr-3 max-sm:max-w-32 text-left font-mono font-normal text-xs"
      >
        {model}
      </th>
      <td className="figures py-1 pr-3 text-right">
        <PriceText {...row} />
      </td>
      <td className="figures py-1 pr-3 text-right text-muted max-sm:hidden">
        {perCall === undefined ? ratio : ''}
      </td>
      <td className="figures py-1 pr-3 text-right text-muted max-sm:hidden">
        {perCall === undefined ? (completion ?? t('pricing.builtIn')) : ''}
      </td>
      <td className="whitespace-nowrap py-1 text-right">
        {actions && (
          <>
            <IconButton label={t('pricing.edit', { model })} icon={Pencil} size="sm" onClick={actions.edit} />
            <IconButton
              label={t('pricing.remove', { model })}
              icon={Trash2}
              size="sm"
              onClick={actions.remove}
            />
          </>
        )}
      </td>
    </tr>
  )
}

function PriceText({ perCall, ratio, completion }: ModelPriceRow) {
  const { t } = useTranslation('settings')
  if (perCall !== undefined) return t('pricing.perCallText', { price: perCall })
  if (ratio === undefined) return <span className="text-warn">{t('pricing.noInput')}</span>
  const { input, output } = pricesOfRatios(ratio, completion)
  return output === undefined ? t('pricing.inputText', { input }) : t('pricing.tokenText', { input, output })
}
