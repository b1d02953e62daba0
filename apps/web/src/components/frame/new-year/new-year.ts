/** Whether it is the first day of the year where the person is. */
export function isNewYearsDay(now: Date): boolean {
  return now.getMonth() === 0 && now.getDate() === 1
}
