import { type ReactNode, Suspense, useState } from 'react'
import { Button, type ButtonProps } from '../../components/ui/button.tsx'

interface DialogButtonProps extends Pick<ButtonProps, 'variant' | 'aria-label' | 'children'> {
  readonly dialog: (close: () => void) => ReactNode
}

/** A small button and the dialog that it opens. */
export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" {...button} onClick={() => setOpen(true)} />
      <Suspense>{open && dialog(() => setOpen(false))}</Suspense>
    </>
  )
}
