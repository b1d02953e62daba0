import { useTranslation } from 'react-i18next'
import type { ChartData } from './chart-data.ts'
import { sumOf } from './series.ts'

export interface ChartTableProps extends ChartData {
  readonly label: string
  readonly onStep?: ((at: number) => void) | undefined
}

/** A chart's figures as a table, for those who cannot see it or want to read it exactly. */
export function ChartTable({ series, steps, nameOf, format, label, onStep }: ChartTableProps) {
  const { t } = useTranslation()
  const filled = steps.filter(({ values }) => sumOf(values) > 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard
    <section aria-label={label} tabIndex={0} className="relative max-h-80 overflow-auto rounded border">
      <table className="w-full whitespace-nowrap text-sm">
        <thead className="sticky top-0 z-1 bg-sunken text-muted text-xs">
          <tr className="border-b">
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              {t('chart.time')}
            </th>
            <th scope="col" className="px-3 py-1.5 text-right font-medium">
              {t('chart.total')}
            </th>
            {series.map((each) => (
              <th key={each.name ?? ''} scope="col" className="px-3 py-1.5 text-right font-medium">
                {nameOf(each)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map(({ at, title, values }) => (
            <tr key={at} className="border-b last:border-b-0">
              <th scope="row" className="figures px-3 py-1.5 text-left font-normal">
                {onStep ? (
                  <button
                    type="button"
                    className="text-accent-text hover:underline"
                    onClick={() => onStep(at)}
                  >
                    {title}
                  </button>
                ) : (
                  title
                )}
              </th>
              <td className="figures px-3 py-1.5 text-right font-medium">{format(sumOf(values))}</td>
              {series.map((each, index) => (
                <td key={each.name ?? ''} className="figures px-3 py-1.5 text-right text-muted">
                  {values[index] ? format(values[index]) : '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
