import { useEffect, useState } from 'react'

/** Seconds left of a wait that `start` begins; 0 when there is none. */
export function useCountdown(seconds: number): { readonly left: number; readonly start: () => void } {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return { left, start: () => setLeft(seconds) }
}

/** A value as it was when it last stayed the same for a while: for calls that follow what is typed. */
export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
