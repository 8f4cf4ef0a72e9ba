export function Section() {
  return null;
}
