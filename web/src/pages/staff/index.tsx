// The panel of the staff. Its sections are loaded one by one.

import { Panel } from './panel/panel';
import './staff.css';

export const pages = { staff: Panel, staffPage: Panel, staffItem: Panel };
