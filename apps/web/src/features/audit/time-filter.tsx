import { useTranslation } from 'react-i18next'
import { type OwnTimes, ownRangeText, TimesForm } from '../../components/list/time-filter.tsx'
import { FilterChip } from '../../components/ui/filter-bar.tsx'

export interface TimeFilterProps extends OwnTimes {
  readonly onChange: (times: OwnTimes) => void
}

const day = 24 * 3600

/** From when to when; either end may be open. */
export function TimeFilter({ from, to, onChange }: TimeFilterProps) {
  const { t } = useTranslation('audit')
  const open = from === undefined && to === undefined
  const ago = (days: number) => () => Math.floor(Date.now() / 1000) - days * day
  return (
    <FilterChip
      label={t('filter.time')}
      value={open ? undefined : ownRangeText(from, to)}
      onClear={() => onChange({ from: undefined, to: undefined })}
      className="w-72"
    >
      {(close) => (
        <TimesForm
          times={{ from, to }}
          onShow={(times) => {
            onChange(times)
            close()
          }}
          texts={{
            from: t('filter.from'),
            to: t('filter.to'),
            backwards: t('filter.backwards'),
            show: t('filter.show'),
          }}
          shortcuts={[
            { label: t('filter.lastDay'), at: ago(1) },
            { label: t('filter.lastWeek'), at: ago(7) },
            { label: t('filter.lastMonth'), at: ago(30) },
          ]}
        />
      )}
    </FilterChip>
  )
}
