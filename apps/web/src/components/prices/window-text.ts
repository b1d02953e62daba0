import type { PriceWindow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'

/** Days and times of a period: `Sat Sun 22:00–06:00`. */
export function useWindowText(): (window: Pick<PriceWindow, 'days' | 'from' | 'to'>) => string {
  const { t } = useTranslation('prices')
  return ({ days = [], from, to }) => [...days.map((day) => t(`weekday.${day}`)), `${from}–${to}`].join(' ')
}
