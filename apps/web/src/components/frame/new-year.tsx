import './new-year.css'
import { Dialog } from '@base-ui/react/dialog'
import { PartyPopper } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasUnsavedWork } from '../../lib/session/unsaved-work.ts'
import { Button, IconButton } from '../ui/button.tsx'

/** Limits of its duration, in ms: chance decides between them. Then the page is read anew (spec operations §2.14). */
const minMs = 1500
const maxMs = 10_000
const bursts = 7
/** Degrees from one spark to the next. */
const directions = Array.from({ length: 14 }, (_, spark) => `${Math.round((spark * 360) / 14)}deg`)

/** A greeting under quiet fireworks. */
function Fireworks({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('shell')
  useEffect(() => {
    const lasts = minMs + Math.random() * (maxMs - minMs)
    const timer = setTimeout(() => {
      // A surprise must not lose typed text.
      if (hasUnsavedWork()) onClose()
      else window.location.reload()
    }, lasts)
    return () => clearTimeout(timer)
  }, [onClose])
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-page" />
        <Dialog.Popup className="fixed inset-0 z-40 grid place-items-center overflow-hidden text-center outline-none">
          <Bursts />
          <div className="relative flex flex-col items-center gap-3 px-6">
            <Dialog.Title className="font-semibold text-[28px] tracking-tight">
              {t('newYear.title', { year: new Date().getFullYear() })}
            </Dialog.Title>
            <Dialog.Description className="text-muted">{t('newYear.wish')}</Dialog.Description>
            <Dialog.Close render={<Button className="mt-3">{t('newYear.back')}</Button>} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Bursts() {
  const positions = useMemo(
    () =>
      Array.from({ length: bursts }, (_, index) => ({
        left: `${8 + Math.random() * 84}%`,
        top: `${8 + Math.random() * 70}%`,
        '--burst-colour': `var(--series-${(index % 8) + 1})`,
        '--burst-delay': `${index * 0.35}s`,
      })),
    [],
  )
  return (
    <div aria-hidden className="absolute inset-0">
      {positions.map((style) => (
        <span key={style['--burst-delay']} className="burst" style={style}>
          {directions.map((rotate) => (
            <i key={rotate} style={{ rotate }} />
          ))}
        </span>
      ))}
    </div>
  )
}

/** Shows a button in the top bar on the first day of the year. */
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
      {open && <Fireworks onClose={() => setOpen(false)} />}
    </>
  )
}
