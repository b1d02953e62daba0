import { PartyPopper } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/button.tsx'

const Fireworks = lazy(() => import('./fireworks.tsx').then((module) => ({ default: module.Fireworks })))

/** In the top bar on the first day of the year. */
export function NewYearButton() {
  const { t } = useTranslation('shell')
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        icon={PartyPopper}
        label={t('newYear.open')}
        tooltip={false}
        onClick={() => setOpen(true)}
        className="text-accent-text"
      />
      <Suspense>{open && <Fireworks onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
