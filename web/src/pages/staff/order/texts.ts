import { texts } from '../../../language/language';

export const order = texts({
  en: {
    save: 'Save the order',
    notSaved: 'Buyers still see the old order.',
    saved: 'The order is saved. Buyers see it now.',
    hint: 'Drag a row, or use the arrows.',
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    movedTo: (name: string, place: number, count: number) => `${name} is now ${place} of ${count}.`,
  },
  pt: {
    save: 'Salvar a ordem',
    notSaved: 'Os compradores ainda veem a ordem antiga.',
    saved: 'A ordem foi salva. Os compradores já a veem.',
    hint: 'Arraste uma linha, ou use as setas.',
    up: (name) => `Mover ${name} para cima`,
    down: (name) => `Mover ${name} para baixo`,
    movedTo: (name, place, count) => `${name} agora é ${place} de ${count}.`,
  },
  es: {
    save: 'Guardar el orden',
    notSaved: 'Los compradores todavía ven el orden anterior.',
    saved: 'El orden está guardado. Los compradores ya lo ven.',
    hint: 'Arrastra una fila, o usa las flechas.',
    up: (name) => `Mover ${name} hacia arriba`,
    down: (name) => `Mover ${name} hacia abajo`,
    movedTo: (name, place, count) => `${name} ahora es ${place} de ${count}.`,
  },
});
