#include "../Ahead/Ahead.h"
